import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { dropIdentity } from '../../src/provider-wire.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { CodeForm } from './code-form.tsx'
import { forgetReturn, type PendingOutcome, type Progress, type ReturnPage } from './kept-return.ts'
import { LinkPasswordForm } from './link-password-form.tsx'

interface Props {
  pending: PendingOutcome
  page: ReturnPage
  /** From before the page was loaded again. */
  progress: Progress | undefined
  onProgress(progress: Progress): void
}

const titles = {
  code: 'confirmIdentity.title',
  password: 'linkAccount.title',
  known: 'confirmIdentity.knownTitle',
} as const

const leads = {
  code: 'confirmIdentity.lead',
  password: 'confirmIdentity.passwordLead',
  known: 'confirmIdentity.knownLead',
} as const

/** An identity that belongs to no account yet: the person proves an address with a code, or an account with its password. */
export function ConfirmIdentity({ pending, page, progress = {}, onProgress }: Props) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { brandName } = usePageData()
  const [current, setCurrent] = useState(progress)
  const { way = pending.hasAccount ? 'password' : 'code', codeEmail, isCodeSpent = false } = current
  // Kept when the way changes.
  const [email, setEmail] = useState(codeEmail ?? pending.email)
  const values = { provider: common(`providers.${page.provider}`), brand: brandName }
  const shared = { pendingId: pending.pendingId, email, onEmail: setEmail }
  const texts = pending.hasAccount ? 'known' : way
  const who = pending.email || pending.name

  function move(next: Progress) {
    setCurrent(next)
    onProgress(next)
  }

  return (
    <Card
      title={t(titles[texts], values)}
      lead={t(leads[texts], values)}
      below={
        <span className={classes.ways}>
          <button
            type="button"
            className={classes.way}
            onClick={() => move({ ...current, way: way === 'code' ? 'password' : 'code' })}
          >
            {t(way === 'code' ? 'confirmIdentity.usePassword' : 'confirmIdentity.useCode')}
          </button>
          <BackToSignIn page={page} pendingId={pending.pendingId} />
        </span>
      }
      isAnswer
    >
      {who && <p className={classes.hint}>{t('confirmIdentity.who', { ...values, who })}</p>}
      {way === 'code' ? (
        <CodeForm
          {...shared}
          isCodeSent={codeEmail === email}
          isCodeSpent={isCodeSpent}
          onCodeSpent={() => move({ ...current, isCodeSpent: true })}
          onCodeSent={(sentTo) => move({ way, codeEmail: sentTo })}
        />
      ) : (
        <LinkPasswordForm {...shared} />
      )}
    </Card>
  )
}

/** Drops the identity, which nobody can confirm in this browser then, and leaves this page out of the history. */
function BackToSignIn({ page, pendingId }: { page: ReturnPage; pendingId: string }) {
  const { t } = useTranslation()
  const address = linkTo('/cas/login', page.service, page)

  async function goBack(event: MouseEvent) {
    event.preventDefault()
    forgetReturn()
    // If that fails, it expires by itself.
    await post<typeof dropIdentity>('/sso/providers/drop/', { pendingId }).catch(() => undefined)
    location.replace(address)
  }

  return (
    <a href={address} onClick={goBack}>
      {t('providerReturn.back')}
    </a>
  )
}
