import { maxKeywords, SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { FilterSelect } from '@atrium/ui/filter-select.tsx'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { useTranslation } from 'react-i18next'
import type { SubscriptionsFilter } from './subscriptions.search.ts'
import { useStatusName } from './use-status-name.ts'

interface Props {
  filter: SubscriptionsFilter
  onChange(changes: SubscriptionsFilter): void
  onClear: (() => void) | undefined
}

/** States of online subscriptions, as customers look for them. */
const onlineStatuses = ['active', 'trialing', 'past_due', 'given', 'prepayment-expired', 'canceled'] as const

/** Search and status of the online subscriptions (001 §2). */
export function SubscriptionFilters({ filter, onChange, onClear }: Props) {
  const { t } = useTranslation('subscriptions')
  const nameOf = useStatusName()

  return (
    <ListFilters onClear={onClear}>
      <SearchBox
        label={t('filters.search')}
        placeholder={t('filters.searchFor')}
        value={filter.keywords ?? ''}
        onSearch={(keywords) => onChange({ keywords: keywords || undefined })}
        maxLength={maxKeywords}
      />
      <FilterSelect
        label={t('filters.status')}
        placeholder={t('filters.anyStatus')}
        value={filter.status}
        options={onlineStatuses.map((status) => ({ value: status, label: nameOf(status) }))}
        onChange={(status) => onChange({ status: SubscriptionStatus.optional().parse(status) })}
      />
    </ListFilters>
  )
}
