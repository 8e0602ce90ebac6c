import { useAddress } from '../../page/use-address.ts'
import { LicensesSearch } from './licenses.search.ts'

/** Clear All: removes the filters from the address, not the product; undefined without filters. */
export function useClearedFilters(): (() => void) | undefined {
  const [{ status, range, keyWord }, changeAddress] = useAddress(LicensesSearch)
  if (!status && !range && !keyWord) return undefined
  return () => changeAddress({ status: undefined, range: undefined, keyWord: undefined, page: undefined })
}
