import { useAddress } from '../../page/use-address.ts'
import { LicensesSearch } from './licenses.search.ts'

/** Takes the filters out of the address, Clear All; nothing while there are none. The product stays. */
export function useClearedFilters(): (() => void) | undefined {
  const [{ status, range, keyWord }, changeAddress] = useAddress(LicensesSearch)
  if (!status && !range && !keyWord) return undefined
  return () => changeAddress({ status: undefined, range: undefined, keyWord: undefined, page: undefined })
}
