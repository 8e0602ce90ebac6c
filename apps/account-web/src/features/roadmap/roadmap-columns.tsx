import type { RoadmapItem } from '@atrium/contract/roadmap.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import classes from './roadmap.module.css'
import { tones } from './roadmap.rules.ts'
import type { RoadmapNames } from './use-roadmap-names.ts'

/** 001 §3, "Roadmap item". */
export function useRoadmapColumns(names: RoadmapNames): Column<RoadmapItem>[] {
  const { t } = useTranslation('roadmap')
  return [
    {
      key: 'key',
      label: t('columns.key'),
      place: 'corner',
      width: '7rem',
      render: ({ key }) => <span className={classes.key}>{key}</span>,
    },
    {
      key: 'summary',
      label: t('columns.summary'),
      place: 'title',
      render: ({ summary }) => <span className={classes.summary}>{summary}</span>,
    },
    {
      key: 'productType',
      label: t('columns.productType'),
      width: '8.5rem',
      render: ({ productType }) => productType,
    },
    {
      key: 'status',
      label: t('columns.status'),
      width: '10.5rem',
      render: ({ status }) => <StatusDot tone={tones[status]}>{names.ofStatus(status)}</StatusDot>,
    },
    {
      key: 'planCycle',
      label: t('columns.planCycle'),
      width: '10rem',
      render: ({ planCycle }) => <span className={classes.quarter}>{names.ofPlanCycle(planCycle)}</span>,
    },
  ]
}
