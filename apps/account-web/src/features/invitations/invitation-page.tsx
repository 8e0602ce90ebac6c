import type { Invitation } from '@atrium/contract/invitations.ts'
import { localePath } from '@atrium/contract/locale.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import classes from '../../page/standalone-page.module.css'
import { AccountButton } from './account-button.tsx'
import { invitationQuery, useAcceptInvitation } from './invitations.data.ts'
import { type InvitationProps, OpenInvitation } from './open-invitation.tsx'

/** Who invites to what, for whom, and what can be done with it. */
export function InvitationPage(props: InvitationProps) {
  const { page, token } = props
  const { t } = useTranslation('invitations')
  const { brandName } = page.data.settings
  const { data, error, refetch, isFetching, fetchStatus } = useQuery(invitationQuery(token))
  const accept = useAcceptInvitation(token)
  useDocumentTitle(`${t('title')} · ${brandName}`)
  const isMalformed = !data && fetchStatus === 'idle' && !error

  return (
    <main className={classes.page}>
      <BrandMark name={brandName} />
      <div className={classes.card} aria-busy={isFetching && !data}>
        {accept.data && <Joined page={page} product={accept.data.appName} type={data?.type} />}
        {!accept.data && data?.state === 'open' && <OpenInvitation {...props} invitation={data} accept={accept} />}
        {!accept.data && data && data.state !== 'open' && <Void page={page} invitation={data} state={data.state} />}
        {isMalformed && <Void page={page} state="unknown" />}
        {!data && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
        {!data && !error && !isMalformed && <Waiting />}
      </div>
    </main>
  )
}

interface JoinedProps extends Pick<InvitationProps, 'page'> {
  product: string
  type: Invitation['type'] | undefined
}

/** A Member finds the product in My Products; a Setup Admin has none there, and manages its users. */
function Joined({ page: { locale }, product, type }: JoinedProps) {
  const { t } = useTranslation('invitations')
  const kind = kindOf(type)
  return (
    <div role="status">
      <h1>{t('joined', { product })}</h1>
      <p>{t(`joinedNext.${kind}`, { product })}</p>
      <Button component="a" href={`${localePath(locale, '/account')}?tab=${places[kind]}`}>
        {t(`open.${kind}`)}
      </Button>
    </div>
  )
}

function kindOf(type: Invitation['type'] | undefined) {
  return type === seatTypes.setupAdmin ? 'setupAdmin' : 'member'
}

const placeOf = (type: Invitation['type'] | undefined) => places[kindOf(type)]

const places = { member: 'my-products', setupAdmin: 'my-subscriptions' } as const

interface VoidProps extends Pick<InvitationProps, 'page'> {
  invitation?: Invitation
  state: Exclude<Invitation['state'], 'open'>
}

/** It cannot be accepted, or not any more: why, and what to do. */
function Void({ page, invitation, state }: VoidProps) {
  const { t } = useTranslation('invitations')
  const { appName: product, email } = invitation ?? {}
  return (
    <>
      <h1>{t(`states.${state}.title`)}</h1>
      <p>{t(`states.${state}.why`, { product, email })}</p>
      <AccountButton page={page} tab={state === 'accepted' ? placeOf(invitation?.type) : undefined} />
    </>
  )
}

function Waiting() {
  return (
    <div aria-hidden className={classes.fields}>
      <Skeleton width="60%" height={28} />
      <Skeleton width="100%" height={48} />
      <Skeleton width="40%" height={36} />
    </div>
  )
}
