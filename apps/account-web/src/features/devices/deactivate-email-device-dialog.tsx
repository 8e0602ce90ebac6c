import type { EmailDevice } from '@atrium/contract/devices.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { type SearchedPage, useDeactivateEmailDevice } from './devices.data.ts'
import classes from './devices.module.css'
import { OnlyThisProduct, type Replaceable } from './only-this-product.tsx'

interface Props extends Replaceable {
  device: EmailDevice
  /** The page of the list with the device. */
  place: SearchedPage
  onClose(): void
}

export function DeactivateEmailDeviceDialog({ device, place, onReplace, onClose }: Props) {
  const { t } = useTranslation('devices')
  const deactivate = useDeactivateEmailDevice(place)

  function confirm() {
    deactivate.mutate(device.licenseId, {
      onSuccess: () => {
        showSuccess(t('deactivate.done'))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={t('deactivate.title', { name: device.hostName })}
      confirmLabel={t('deactivate.action')}
      isDestructive
      busy={deactivate.isPending}
      problem={deactivate.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className={classes.effect}>
        <p>{t('email.effect', { app: device.appName, email: device.email })}</p>
        <OnlyThisProduct deviceId={device.licenseId} name={device.hostName} onReplace={onReplace} />
      </div>
    </ConfirmDialog>
  )
}
