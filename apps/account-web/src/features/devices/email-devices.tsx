import type { EmailDevice } from '@atrium/contract/devices.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../page/dictionaries.data.ts'
import { DictionaryFailure } from '../../page/dictionary-failure.tsx'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { preloadReplacing, ReplaceComputerDialog, useDeviceDialogs } from './device-dialogs.ts'
import { DeviceSearchBox } from './device-search-box.tsx'
import { emailDevicesQuery, type SearchedPage } from './devices.data.ts'
import { useEmailDeviceColumns } from './email-device-columns.tsx'
import { NoDeviceFound } from './no-device-found.tsx'

const { Dialog: DeactivateEmailDeviceDialog, preload } = loadableDialog(
  async () => (await import('./deactivate-email-device-dialog.tsx')).DeactivateEmailDeviceDialog,
)

/** Devices activated by signing in, newest first. */
export function EmailDevices(place: SearchedPage) {
  const { t } = useTranslation('devices')
  const { data } = useQuery(emailDevicesQuery(place))
  const hasNone = data?.totalNum === 0 && place.keyWord === ''
  const statuses = useDictionary('subscription-status')
  const { deactivated, replaced, onDeactivate, onReplace, onClose } = useDeviceDialogs<EmailDevice>()
  const columns = useEmailDeviceColumns({
    statuses,
    onDeactivate,
    onReplace,
    onPreload: () => {
      preload()
      preloadReplacing()
    },
  })

  return (
    <>
      <DictionaryFailure dictionary={statuses} />
      {!hasNone && <DeviceSearchBox label={t('search.devices')} placeholder={t('search.ofUsers')} />}
      <PagedList
        label={t('email.list')}
        columns={columns}
        rowKey={(device) => device.licenseId}
        query={(page) => emailDevicesQuery({ ...place, page })}
        read={({ licenceList, totalNum }) => ({ rows: licenceList, total: totalNum })}
        empty={place.keyWord === '' ? <EmptyState picture="devices" sentence={t('email.empty')} /> : <NoDeviceFound />}
      />
      {deactivated && (
        <DeactivateEmailDeviceDialog
          device={deactivated}
          place={place}
          onReplace={() => onReplace(deactivated)}
          onClose={onClose}
        />
      )}
      {replaced && <ReplaceComputerDialog deviceId={replaced.licenseId} name={replaced.hostName} onClose={onClose} />}
    </>
  )
}
