import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { DevicesSearch } from './devices.search.ts'

/** The parent views: Device Management › Manage Devices (000 §2). */
export function useBreadcrumb() {
  const { t } = useTranslation('devices')
  const { t: frame } = useTranslation('frame')
  const [, changeAddress] = useAddress(DevicesSearch)
  const above = { code: undefined, keyWord: undefined, page: undefined }

  return {
    toDevices: {
      label: frame('tabs.device-management'),
      onOpen: () => changeAddress({ ...above, method: 'keycode', licenseId: undefined }),
    },
    toKeys: (licenseId: string) => ({
      label: t('manage.title'),
      onOpen: () => changeAddress({ ...above, method: 'keycode', licenseId }),
    }),
  }
}
