import type { SubscriptionUser } from '@atrium/contract/team.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { type SubscribeDetail, subscriptionUsersQuery, useChangeUser } from './team.data.ts'
import { type ConfirmedAction, isConfirmed } from './team.rules.ts'
import { useUserColumns } from './user-columns.tsx'

const { Dialog: UserActionDialog, preload } = loadableDialog(
  async () => (await import('./user-action-dialog.tsx')).UserActionDialog,
)

interface Props {
  /** Id of the subscription. */
  subId: string
  /** A part of the email address; empty: all users. */
  keyWord: string
  /** Undefined until the list is here. */
  detail: SubscribeDetail | undefined
}

/** Users of a subscription, the Owner first, with what may be done with each. */
export function SubscriptionUsers({ subId, keyWord, detail }: Props) {
  const { t } = useTranslation('team')
  const [asking, setAsking] = useState<{ user: SubscriptionUser; action: ConfirmedAction }>()
  const team = { sid: subId, orgCode: '', appCode: '', appName: '', ...detail }
  const resend = useResend(team)
  const columns = useUserColumns({
    onAct: (user, action) => (isConfirmed(action) ? setAsking({ user, action }) : resend(user)),
    onPreload: preload,
  })

  return (
    <>
      <PagedList
        key={subId}
        label={t('list')}
        columns={columns}
        rowKey={(user) => user.distributionUuid}
        query={(page) => subscriptionUsersQuery({ sid: subId, keyWord, page })}
        read={({ allData, subscribeDetail }) => ({ rows: allData, total: subscribeDetail.total })}
        empty={<EmptyState picture="papers" sentence={t(keyWord === '' ? 'empty' : 'noMatch')} />}
      />
      {asking && <UserActionDialog team={team} {...asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}

/** Sends an invitation again at once, and says how it went. */
function useResend(team: Parameters<typeof useChangeUser>[0]) {
  const { t } = useTranslation('team')
  const problemText = useProblemText()
  const change = useChangeUser(team)
  return (user: SubscriptionUser) =>
    change.mutate(
      { user, action: 'resend' },
      {
        onSuccess: () => showSuccess(t('done.resent')),
        onError: (problem) => showFailure(problemText(problem)),
      },
    )
}
