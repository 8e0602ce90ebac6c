import type { Invitation } from '@atrium/contract/invitations.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Page } from '../../page/page-data.ts'
import classes from '../../page/standalone-page.module.css'
import { AccountButton } from './account-button.tsx'
import { type useAcceptInvitation, useSwitchAccount } from './invitations.data.ts'

export interface InvitationProps {
  page: Page
  /** Of the link. */
  token: string
  /** With the invited address filled in. */
  onSignIn(email: string): void
  /** Absent: accounts are not made here. */
  onSignUp?: ((email: string) => void) | undefined
  /** Before the page is left for a sign-in with another account. */
  onLeave(): void
}

interface Props extends InvitationProps {
  invitation: Invitation
  accept: ReturnType<typeof useAcceptInvitation>
}

/** It can be accepted, by whoever is signed in with its address. */
export function OpenInvitation({ page, invitation, accept, onSignIn, onSignUp, onLeave }: Props) {
  const { t } = useTranslation('invitations')
  const locale = useLocale()
  const { inviterName, inviterEmail, appName: product, email, type, expiresAt } = invitation
  const own = page.data.member?.email
  const date = formatDate(locale, new Date(expiresAt), 'UTC')
  const name = inviterName === '' ? inviterEmail : `${inviterName} (${inviterEmail})`
  const kind = type === seatTypes.setupAdmin ? 'setupAdmin' : 'member'

  return (
    <>
      <h1>{t('title')}</h1>
      <p>{t(kind, { name, product, date })}</p>
      {own === undefined && (
        <>
          <p className={classes.note}>{t('signInHint', { email })}</p>
          <Group gap="sm">
            <Button onClick={() => onSignIn(email)}>{t('signIn')}</Button>
            {onSignUp && (
              <Button variant="default" onClick={() => onSignUp(email)}>
                {t('signUp')}
              </Button>
            )}
          </Group>
        </>
      )}
      {own === email && (
        <>
          <p className={classes.note}>{t('signedIn', { email })}</p>
          {accept.error && <InlineFailure problem={accept.error} />}
          <Button onClick={() => accept.mutate()} loading={accept.isPending}>
            {t('accept')}
          </Button>
        </>
      )}
      {own !== undefined && own !== email && <OtherAccount page={page} own={own} email={email} onLeave={onLeave} />}
    </>
  )
}

interface OtherAccountProps extends Pick<InvitationProps, 'page' | 'onLeave'> {
  /** Of the account that is signed in. */
  own: string
  email: string
}

function OtherAccount({ page, own, email, onLeave }: OtherAccountProps) {
  const { t } = useTranslation('invitations')
  const change = useSwitchAccount(onLeave)
  return (
    <>
      <p className={classes.note}>{t('otherAddress', { own, email })}</p>
      {change.error && <InlineFailure problem={change.error} />}
      <Group gap="sm">
        <Button onClick={() => change.mutate()} loading={change.isPending || change.isSuccess}>
          {t('otherAccount')}
        </Button>
        <AccountButton page={page} />
      </Group>
    </>
  )
}
