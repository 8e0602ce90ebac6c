import { maxKeyWord, OrderStatus } from '@atrium/contract/orders.ts'
import { ListRange } from '@atrium/contract/range.ts'
import { FilterSelect } from '@atrium/ui/filter-select.tsx'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { useRangeOptions } from '../../page/use-range-options.ts'
import type { OrdersFilter } from './orders.search.ts'

interface Props {
  filter: OrdersFilter
  statuses: Dictionary
  onChange(changes: OrdersFilter): void
  onClear: (() => void) | undefined
}

/** Search, status and date range of the online orders (000 §2.6). */
export function OrderFilters({ filter, statuses, onChange, onClear }: Props) {
  const { t } = useTranslation('orders')
  const known = statuses.entries?.filter(({ code }) => OrderStatus.safeParse(code).success) ?? []

  return (
    <ListFilters onClear={onClear}>
      <SearchBox
        label={t('filters.search')}
        placeholder={t('filters.searchFor')}
        value={filter.keyWord ?? ''}
        onSearch={(keyWord) => onChange({ keyWord: keyWord || undefined })}
        maxLength={maxKeyWord}
      />
      <FilterSelect
        label={t('filters.status')}
        placeholder={t('filters.anyStatus')}
        value={filter.status}
        options={known.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(status) => onChange({ status: OrderStatus.optional().parse(status) })}
        disabled={known.length === 0}
      />
      <FilterSelect
        label={t('filters.range')}
        placeholder={t('filters.anyDate')}
        value={filter.range}
        options={useRangeOptions(filter.range)}
        onChange={(range) => onChange({ range: ListRange.optional().parse(range) })}
      />
    </ListFilters>
  )
}
