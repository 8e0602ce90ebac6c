import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DeadEnd } from '@atrium/ui/dead-end.tsx'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { AddUsersButton } from './add-users-button.tsx'
import { SeatUse } from './seat-use.tsx'
import { SubscriptionUsers } from './subscription-users.tsx'
import { subscriptionUsersQuery } from './team.data.ts'
import { TeamSearch } from './team.search.ts'

/** Problems of an address that does not exist for this member, or is not theirs to manage. */
const refusals = ['not_found', 'not_manager', 'invalid']

interface Props {
  /** Id of the subscription. */
  subId: string
}

/** License Management › Manage User (001 §2): the users of a subscription. */
export function ManageUserScreen({ subId }: Props) {
  const { t } = useTranslation('team')
  const { t: frame } = useTranslation('frame')
  const [{ page = 1, user = '' }, changeAddress] = useAddress(TeamSearch)
  const { data, error } = useQuery(subscriptionUsersQuery({ sid: subId, keyWord: user, page }))
  const detail = data?.subscribeDetail
  const isRefused = !data && error instanceof CallProblem && refusals.includes(error.code)
  const search = (wanted: string | undefined) => changeAddress({ user: wanted, page: undefined })

  const leave = () => changeAddress({ subId: undefined, user: undefined, page: undefined })
  return (
    <PageFrame
      title={t('title')}
      count={detail?.total}
      lead={detail?.appName}
      breadcrumb={[{ label: frame('tabs.license-management'), onOpen: leave }]}
      action={detail && <AddUsersButton subId={subId} detail={detail} />}
    >
      {isRefused && (
        <DeadEnd
          sentence={t(error.code === 'not_manager' ? 'forbidden' : 'notFound')}
          backLabel={t('back')}
          onBack={leave}
        />
      )}
      {!isRefused && (
        <>
          {detail && <SeatUse detail={detail} />}
          <ListFilters onClear={user === '' ? undefined : () => search(undefined)}>
            <SearchBox
              label={t('search')}
              placeholder={t('searchPlaceholder')}
              value={user}
              maxLength={100}
              onSearch={(wanted) => search(wanted || undefined)}
            />
          </ListFilters>
          <SubscriptionUsers subId={subId} keyWord={user} detail={detail} />
        </>
      )}
    </PageFrame>
  )
}
