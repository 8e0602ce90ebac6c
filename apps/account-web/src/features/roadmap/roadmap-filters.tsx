import { maxRoadmapKeyword, RoadmapStatus, roadmapStatuses } from '@atrium/contract/roadmap.ts'
import { FilterSelect } from '@atrium/ui/filter-select.tsx'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './roadmap.module.css'
import type { RoadmapFilter } from './roadmap.search.ts'
import type { RoadmapNames } from './use-roadmap-names.ts'

interface Props {
  filter: RoadmapFilter
  names: RoadmapNames
  /** The quarters and product types to choose from; undefined while loading. */
  choices: { planCycle: readonly string[]; productType: readonly string[] } | undefined
  onChange(changes: Partial<RoadmapFilter>): void
  onClear: (() => void) | undefined
}

/** Search, status, product, quarter, and whether only the current quarter is shown (001 §2). */
export function RoadmapFilters({ filter, names, choices, onChange, onClear }: Props) {
  const { t } = useTranslation('roadmap')
  const isCurrent = filter.currentQuarter === '1'

  return (
    <ListFilters onClear={onClear}>
      <SearchBox
        label={t('filters.search')}
        placeholder={t('filters.searchFor')}
        value={filter.keyword ?? ''}
        onSearch={(keyword) => onChange({ keyword: keyword || undefined })}
        maxLength={maxRoadmapKeyword}
      />
      <FilterSelect
        label={t('filters.status')}
        placeholder={t('filters.anyStatus')}
        value={filter.status}
        options={roadmapStatuses.map((status) => ({ value: status, label: names.ofStatus(status) }))}
        onChange={(status) => onChange({ status: RoadmapStatus.optional().parse(status) })}
      />
      <FilterSelect
        label={t('filters.productType')}
        placeholder={t('filters.anyProductType')}
        value={filter.productType}
        options={offered(choices?.productType, filter.productType).map((name) => ({ value: name, label: name }))}
        onChange={(productType) => onChange({ productType })}
      />
      <FilterSelect
        label={t('filters.planCycle')}
        placeholder={t('filters.anyPlanCycle')}
        value={filter.planCycle}
        options={offered(choices?.planCycle, filter.planCycle).map((planCycle) => ({
          value: planCycle,
          label: names.ofPlanCycle(planCycle),
        }))}
        // One quarter, or the current one.
        onChange={(planCycle) => onChange({ planCycle, currentQuarter: undefined })}
      />
      <Button
        variant="default"
        aria-pressed={isCurrent}
        className={classes.toggle ?? ''}
        leftSection={isCurrent && <IconCheck size={16} stroke={1.8} aria-hidden />}
        onClick={() => onChange({ currentQuarter: isCurrent ? undefined : '1', planCycle: undefined })}
      >
        {t('filters.currentQuarter')}
      </Button>
    </ListFilters>
  )
}

/** The chosen value is among the options while they load, and where the list has none of it now. */
function offered(choices: readonly string[] | undefined, chosen: string | undefined): readonly string[] {
  const known = choices ?? []
  return chosen === undefined || known.includes(chosen) ? known : [...known, chosen]
}
