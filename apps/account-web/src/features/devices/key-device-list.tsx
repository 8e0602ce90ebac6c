import type { KeyDevice, KeyDevices } from '@atrium/contract/devices.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { preloadReplacing, ReplaceComputerDialog, useDeviceDialogs } from './device-dialogs.ts'
import { type KeyPage, keyDevicesQuery } from './devices.data.ts'
import { useKeyDeviceColumns } from './key-device-columns.tsx'
import { NoDeviceFound } from './no-device-found.tsx'

const { Dialog: DeactivateKeyDeviceDialog, preload } = loadableDialog(
  async () => (await import('./deactivate-key-device-dialog.tsx')).DeactivateKeyDeviceDialog,
)

interface Props {
  place: KeyPage
  /** Undefined while loading. */
  keyDevices: KeyDevices | undefined
}

/** Devices activated with a key, newest first. */
export function KeyDeviceList({ place, keyDevices }: Props) {
  const { t } = useTranslation('devices')
  const { deactivated, replaced, onDeactivate, onReplace, onClose } = useDeviceDialogs<KeyDevice>()
  const columns = useKeyDeviceColumns({
    isValid: keyDevices?.isValid ?? true,
    onDeactivate,
    onReplace,
    onPreload: () => {
      preload()
      preloadReplacing()
    },
  })

  return (
    <>
      <PagedList
        label={t('all.list')}
        columns={columns}
        rowKey={(device) => device.itemId}
        query={(page) => keyDevicesQuery({ ...place, page })}
        read={({ log, total }) => ({ rows: log, total })}
        empty={place.keyWord === '' ? <EmptyState picture="devices" sentence={t('all.empty')} /> : <NoDeviceFound />}
      />
      {deactivated && keyDevices && (
        <DeactivateKeyDeviceDialog
          device={deactivated}
          place={place}
          productName={keyDevices.productName}
          left={keyDevices.deactivationsLeft}
          onReplace={() => onReplace(deactivated)}
          onClose={onClose}
        />
      )}
      {replaced && <ReplaceComputerDialog deviceId={replaced.itemId} name={replaced.pcName} onClose={onClose} />}
    </>
  )
}
