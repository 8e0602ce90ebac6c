import { useTranslation } from 'react-i18next'
import { useAddress } from '../../shell/use-address.ts'
import { DevicesSearch } from './devices.search.ts'

/** The views above the one that is open: Device Management › Manage Devices (000 §2). */
export function useBreadcrumb() {
  const { t } = useTranslation('devices')
  const { t: shell } = useTranslation('shell')
  const [, changeAddress] = useAddress(DevicesSearch)
  const above = { code: undefined, page: undefined }

  return {
    toDevices: {
      label: shell('tabs.device-management'),
      onOpen: () => changeAddress({ ...above, method: 'keycode', licenseId: undefined }),
    },
    toKeys: (licenseId: string) => ({
      label: t('manage.title'),
      onOpen: () => changeAddress({ ...above, method: 'keycode', licenseId }),
    }),
  }
}
