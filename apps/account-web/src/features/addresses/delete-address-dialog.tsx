import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { useDeleteAddress } from './addresses.data.ts'
import classes from './addresses.module.css'
import { PostalLines } from './postal-lines.tsx'

interface Props {
  address: BillingAddress
  onClose(): void
}

export function DeleteAddressDialog({ address, onClose }: Props) {
  const { t } = useTranslation('addresses')
  const remove = useDeleteAddress()

  function confirm() {
    remove.mutate(address.id, {
      onSuccess: () => {
        showSuccess(t('done.removed'))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={t('delete.title')}
      confirmLabel={t('actions.delete')}
      isDestructive
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className={classes.quoted}>
        <PostalLines address={address} />
      </div>
      <p className={classes.effect}>{t('delete.effect')}</p>
    </ConfirmDialog>
  )
}
