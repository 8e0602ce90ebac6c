import type { SubscriptionUser } from '@atrium/contract/team.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { type Team, useChangeUser } from './team.data.ts'
import { type ConfirmedAction, confirmationOf, doneText, effectOf } from './team.rules.ts'

interface Props {
  team: Team
  user: SubscriptionUser
  action: ConfirmedAction
  onClose(): void
}

/** Says what a person loses or gets, before it happens. */
export function UserActionDialog(props: Props) {
  return confirmationOf(props.user, props.action) === 'remove' ? (
    <RemoveUserDialog {...props} />
  ) : (
    <ChangeDialog {...props} />
  )
}

function ChangeDialog({ team, user, action, onClose }: Props) {
  const { t } = useTranslation('team')
  const change = useChangeUser(team)
  const kind = confirmationOf(user, action)
  const values = { email: user.email, product: team.appName }

  function confirm() {
    change.mutate(
      { user, action },
      {
        onSuccess() {
          showSuccess(t(`done.${doneText(kind)}`))
          onClose()
        },
      },
    )
  }

  return (
    <ConfirmDialog
      title={t(`confirm.${kind}.title`, values)}
      confirmLabel={t(`confirm.${kind}.action`)}
      isDestructive={kind === 'withdraw' || kind === 'deactivate'}
      busy={change.isPending}
      problem={change.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(`confirm.${kind}.${effectOf(user, kind)}`, values)}</p>
    </ConfirmDialog>
  )
}
