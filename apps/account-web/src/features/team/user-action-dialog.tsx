import type { SubscriptionUser } from '@atrium/contract/team.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { type Team, useChangeUser } from './team.data.ts'
import { type ChangeQuestion, type ConfirmedAction, confirmationOf, doneText, effectOf } from './team.rules.ts'

interface Props {
  team: Team
  user: SubscriptionUser
  action: ConfirmedAction
  onClose(): void
}

/** Says what a person loses or gets, before it happens. */
export function UserActionDialog(props: Props) {
  const question = confirmationOf(props.user, props.action)
  return question === 'remove' ? <RemoveUserDialog {...props} /> : <ChangeDialog {...props} question={question} />
}

function ChangeDialog({ team, user, action, question, onClose }: Props & { question: ChangeQuestion }) {
  const { t } = useTranslation('team')
  const change = useChangeUser(team)
  const values = { email: user.email, product: team.appName }

  function confirm() {
    change.mutate(
      { user, action },
      {
        onSuccess() {
          showSuccess(t(`done.${doneText(question)}`))
          onClose()
        },
      },
    )
  }

  return (
    <ConfirmDialog
      title={t(`confirm.${question}.title`, values)}
      confirmLabel={t(`confirm.${question}.action`)}
      isDestructive={question === 'withdraw' || question === 'deactivate'}
      busy={change.isPending}
      problem={change.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(`confirm.${question}.${effectOf(user, question)}`, values)}</p>
    </ConfirmDialog>
  )
}
