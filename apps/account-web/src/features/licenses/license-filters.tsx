import { LicenseStatus, licenseStatuses } from '@atrium/contract/licenses.ts'
import { ListRange } from '@atrium/contract/range.ts'
import { FilterSelect } from '@atrium/ui/filter-select.tsx'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { useAddress } from '../../page/use-address.ts'
import { useRangeOptions } from '../../page/use-range-options.ts'
import { LicensesSearch } from './licenses.search.ts'
import { useClearedFilters } from './use-cleared-filters.ts'

/** Status, created date and license id (000 §2.7). Changing a filter resets the page. */
export function LicenseFilters({ statuses }: { statuses: Dictionary }) {
  const { t } = useTranslation('licenses')
  const [{ status, range, keyWord = '' }, changeAddress] = useAddress(LicensesSearch)
  const clear = useClearedFilters()

  return (
    <ListFilters onClear={clear}>
      <SearchBox
        label={t('filters.search')}
        placeholder={t('filters.searchPlaceholder')}
        value={keyWord}
        onSearch={(wanted) => changeAddress({ keyWord: wanted || undefined, page: undefined })}
      />
      <FilterSelect
        label={t('filters.status')}
        placeholder={t('filters.anyStatus')}
        value={status}
        options={licenseStatuses.map((code) => ({ value: code, label: statuses.nameOf(code) ?? code }))}
        onChange={(chosen) => changeAddress({ status: LicenseStatus.safeParse(chosen).data, page: undefined })}
        disabled={!statuses.entries}
      />
      <FilterSelect
        label={t('filters.created')}
        placeholder={t('filters.anyDate')}
        value={range}
        options={useRangeOptions(range)}
        onChange={(chosen) => changeAddress({ range: ListRange.safeParse(chosen).data, page: undefined })}
      />
    </ListFilters>
  )
}
