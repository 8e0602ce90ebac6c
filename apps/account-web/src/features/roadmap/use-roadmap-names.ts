import type { RoadmapStatus } from '@atrium/contract/roadmap.ts'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../page/dictionaries.data.ts'
import { quarterOf } from './roadmap.rules.ts'

/** The names of states and quarters: the vendor's, if a dictionary has them, else our own. */
export function useRoadmapNames() {
  const { t } = useTranslation('roadmap')
  const statuses = useDictionary('roadmap-status')
  const cycles = useDictionary('plan-cycle')

  return {
    ofStatus: (status: RoadmapStatus) =>
      statuses.entries?.find(({ code }) => code === status)?.name ?? t(`statuses.${status}`),
    ofPlanCycle: (planCycle: string) =>
      cycles.entries?.find(({ code }) => code === planCycle)?.name ?? t('quarter', quarterOf(planCycle)),
  }
}

export type RoadmapNames = ReturnType<typeof useRoadmapNames>
