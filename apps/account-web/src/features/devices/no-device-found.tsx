import { useTranslation } from 'react-i18next'
import { NoMatch } from '../../page/no-match.tsx'
import { useAddress } from '../../page/use-address.ts'
import { DevicesSearch } from './devices.search.ts'

/** Nothing has what is searched for. */
export function NoDeviceFound() {
  const { t } = useTranslation('devices')
  const [, changeAddress] = useAddress(DevicesSearch)
  return <NoMatch sentence={t('search.none')} onClear={() => changeAddress({ keyWord: undefined, page: undefined })} />
}
