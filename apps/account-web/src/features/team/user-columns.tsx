import type { SubscriptionUser, TeamAction } from '@atrium/contract/team.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import { EmailText } from '../../page/email-text.tsx'
import { useMember } from '../../page/member.data.ts'
import { ObjectActions } from '../../page/object-actions.tsx'
import { usePage } from '../../page/page-data.ts'
import { useRoleName } from '../../page/use-role-name.ts'
import classes from './team.module.css'

interface Handlers {
  onAct(user: SubscriptionUser, action: TeamAction): void
  /** Loads the dialogs' code. */
  onPreload(): void
}

export function useUserColumns({ onAct, onPreload }: Handlers): Column<SubscriptionUser>[] {
  const { t } = useTranslation('team')
  const roleName = useRoleName()
  return [
    {
      key: 'email',
      label: t('columns.email'),
      place: 'title',
      width: '32%',
      render: (user) => <Address user={user} />,
    },
    {
      key: 'role',
      label: t('columns.role'),
      render: ({ type }) => <span className={classes.word}>{roleName(type)}</span>,
    },
    { key: 'status', label: t('columns.status'), place: 'corner', render: (user) => <Invitation user={user} /> },
    {
      key: 'license',
      label: t('columns.license'),
      render: ({ isUse }) => (
        <span className={classes.word} data-without={isUse === 0}>
          {t(isUse ? 'license.held' : 'license.none')}
        </span>
      ),
    },
    {
      key: 'actions',
      label: t('columns.actions'),
      align: 'end',
      place: 'action',
      render: (user) => <UserActions user={user} onAct={onAct} onPreload={onPreload} />,
    },
  ]
}

function Address({ user: { email } }: { user: SubscriptionUser }) {
  const { t } = useTranslation('team')
  const { support } = usePage()
  const { email: own } = useMember()
  const isOwn = email === own && !support
  return (
    <span className={classes.email}>
      <EmailText email={email} /> {isOwn && <span className={classes.own}>{t('you')}</span>}
    </span>
  )
}

/** An invitation says until when it can be accepted, or that it has lapsed. */
function Invitation({ user: { status, isExpired, expiresAt } }: { user: SubscriptionUser }) {
  const { t } = useTranslation('team')
  const locale = useLocale()
  const date = expiresAt && formatDate(locale, new Date(expiresAt), 'UTC')
  if (status === 'Accepted') return <StatusDot tone="good">{t('status.Accepted')}</StatusDot>
  return (
    <span className={classes.invitation}>
      <StatusDot tone={isExpired ? 'off' : 'warning'}>{t('status.Pending')}</StatusDot>
      <span>{t(isExpired ? 'lapsed' : 'until', { date })}</span>
    </span>
  )
}

function UserActions({ user, onAct, onPreload }: Handlers & { user: SubscriptionUser }) {
  const { t } = useTranslation('team')
  const textOf = (action: TeamAction) => (action === 'remove' && user.status === 'Pending' ? 'withdraw' : action)
  const [first, ...others] = user.actions.map((action) => ({
    key: action,
    label: t(`actions.${textOf(action)}`),
    onPress: () => onAct(user, action),
    onPreload,
  }))

  return (
    <ObjectActions
      first={first}
      others={others}
      moreLabel={t('actions.more')}
      nameOf={(label) => t('actions.of', { action: label, email: user.email })}
    />
  )
}
