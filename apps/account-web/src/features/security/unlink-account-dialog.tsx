import type { LinkedAccount } from '@atrium/contract/linked-accounts.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { useUnlinkAccount } from './linked-accounts.data.ts'
import classes from './linked-accounts-table.module.css'

interface Props {
  account: LinkedAccount
  onClose(): void
}

export function UnlinkAccountDialog({ account, onClose }: Props) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation('common')
  const unlink = useUnlinkAccount()
  const provider = common(`providers.${account.provider}`)

  return (
    <ConfirmDialog
      title={t('linked.unlinkTitle', { provider })}
      confirmLabel={t('linked.unlink')}
      isDestructive
      busy={unlink.isPending}
      problem={unlink.error}
      onConfirm={() =>
        unlink.mutate(account.id, {
          onSuccess() {
            showSuccess(t('linked.unlinked', { provider }))
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      <div className={classes.dialog}>
        {account.email !== null && <strong>{account.email}</strong>}
        <p>{t('linked.unlinkText')}</p>
      </div>
    </ConfirmDialog>
  )
}
