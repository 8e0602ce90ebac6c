import { ActivityActor, ActivityArea, activityActors, activityAreas } from '@atrium/contract/activity.ts'
import { FilterSelect } from '@atrium/ui/filter-select.tsx'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import type { ActivityFilter } from './security.search.ts'

interface Props {
  filter: ActivityFilter
  onChange(changes: ActivityFilter): void
  onClear: (() => void) | undefined
}

export function ActivityFilters({ filter, onChange, onClear }: Props) {
  const { t } = useTranslation('activity')
  const { brandName: brand } = usePage().settings

  return (
    <ListFilters onClear={onClear}>
      <FilterSelect
        label={t('filters.who')}
        placeholder={t('filters.anyone')}
        value={filter.who}
        options={activityActors.map((who) => ({ value: who, label: t(`actors.${who}`, { brand }) }))}
        onChange={(who) => onChange({ who: ActivityActor.optional().parse(who) })}
      />
      <FilterSelect
        label={t('filters.area')}
        placeholder={t('filters.anything')}
        value={filter.area}
        options={activityAreas.map((area) => ({ value: area, label: t(`areas.${area}`) }))}
        onChange={(area) => onChange({ area: ActivityArea.optional().parse(area) })}
      />
    </ListFilters>
  )
}
