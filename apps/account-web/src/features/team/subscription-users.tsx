import type { SubscriptionUser } from '@atrium/contract/team.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import { useMember } from '../../page/member.data.ts'
import { PagedList } from '../../page/paged-list.tsx'
import { roleNames } from '../../page/role-names.ts'
import { subscriptionUsersQuery } from './team.data.ts'
import classes from './team.module.css'

/** Users of a subscription, the Owner first. */
export function SubscriptionUsers({ subId }: { subId: string }) {
  const { t } = useTranslation('team')
  const columns = useColumns()

  return (
    <PagedList
      key={subId}
      label={t('list')}
      columns={columns}
      rowKey={(user) => user.distributionUuid}
      query={(page) => subscriptionUsersQuery(subId, page)}
      read={({ allData, subscribeDetail }) => ({ rows: allData, total: subscribeDetail.total })}
      empty={<EmptyState picture="papers" sentence={t('empty')} />}
    />
  )
}

function useColumns(): Column<SubscriptionUser>[] {
  const { t } = useTranslation('team')
  const { email: own } = useMember()
  return [
    {
      key: 'email',
      label: t('columns.email'),
      place: 'title',
      width: '42%',
      render: ({ email }) => (
        <span className={classes.email}>
          <Address email={email} /> {email === own && <span className={classes.own}>{t('you')}</span>}
        </span>
      ),
    },
    { key: 'role', label: t('columns.role'), render: ({ type }) => t(`roles.${roleNames[type]}`) },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'corner',
      render: ({ status }) => (
        <StatusDot tone={status === 'Accepted' ? 'good' : 'warning'}>{t(`status.${status}`)}</StatusDot>
      ),
    },
    {
      key: 'license',
      label: t('columns.license'),
      render: ({ isUse }) => (
        <span className={isUse ? undefined : classes.without}>{t(isUse ? 'license.held' : 'license.none')}</span>
      ),
    },
  ]
}

/** Wraps before the domain, if at all. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}
