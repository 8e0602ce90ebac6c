import type { KeyDevice } from '@atrium/contract/devices.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { type KeyPage, useDeactivateKeyDevice } from './devices.data.ts'
import classes from './devices.module.css'
import { OnlyThisProduct, type Replaceable } from './only-this-product.tsx'

interface Props extends Replaceable {
  device: KeyDevice
  /** The page of the list with the device. */
  place: KeyPage
  productName: string
  /** Deactivations left before this one; 0 if they were used elsewhere while the dialog is open. */
  left: number
  onClose(): void
}

export function DeactivateKeyDeviceDialog({ device, place, productName, left, onReplace, onClose }: Props) {
  const { t } = useTranslation('devices')
  const deactivate = useDeactivateKeyDevice(place)
  const leftAfter = left - 1

  function confirm() {
    deactivate.mutate(device.itemId, {
      onSuccess: () => {
        showSuccess(t('deactivate.done'))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={t('deactivate.title', { name: device.pcName })}
      confirmLabel={t('deactivate.action')}
      isDestructive
      busy={deactivate.isPending}
      problem={deactivate.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className={classes.effect}>
        <p>{t('keycode.effect', { product: productName })}</p>
        {left > 0 && <p>{leftAfter === 0 ? t('keycode.spendsLast') : t('keycode.spends', { count: leftAfter })}</p>}
        <OnlyThisProduct deviceId={device.itemId} name={device.pcName} onReplace={onReplace} />
      </div>
    </ConfirmDialog>
  )
}
