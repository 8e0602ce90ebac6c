import { maxDeviceSearch } from '@atrium/contract/devices.ts'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { useAddress } from '../../page/use-address.ts'
import { DevicesSearch } from './devices.search.ts'

interface Props {
  label: string
  placeholder: string
}

/** Searches the list below; what is searched for stands in the address. */
export function DeviceSearchBox({ label, placeholder }: Props) {
  const [{ keyWord = '' }, changeAddress] = useAddress(DevicesSearch)
  return (
    <ListFilters onClear={undefined}>
      <SearchBox
        label={label}
        placeholder={placeholder}
        value={keyWord}
        onSearch={(wanted) => changeAddress({ keyWord: wanted || undefined, page: undefined })}
        maxLength={maxDeviceSearch}
      />
    </ListFilters>
  )
}
