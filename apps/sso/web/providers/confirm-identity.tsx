import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { usePageData } from '../page/page-data.ts'
import { CodeForm } from './code-form.tsx'
import type { PendingOutcome } from './kept-return.ts'
import { LinkPasswordForm } from './link-password-form.tsx'

interface Props {
  pending: PendingOutcome
  provider: ProviderName
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
export function ConfirmIdentity({ pending, provider }: Props) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { brandName } = usePageData()
  const [way, setWay] = useState<'code' | 'password'>(pending.hasAccount ? 'password' : 'code')
  // Kept when the way changes.
  const [email, setEmail] = useState(pending.email)
  const values = { provider: common(`providers.${provider}`), brand: brandName }
  const texts = pending.hasAccount ? 'known' : way
  const Form = way === 'code' ? CodeForm : LinkPasswordForm

  return (
    <Card
      title={t(titles[texts], values)}
      lead={t(leads[texts], values)}
      below={
        <button type="button" className={classes.way} onClick={() => setWay(way === 'code' ? 'password' : 'code')}>
          {t(way === 'code' ? 'confirmIdentity.usePassword' : 'confirmIdentity.useCode')}
        </button>
      }
      isAnswer
    >
      <Form pendingId={pending.pendingId} email={email} onEmail={setEmail} />
    </Card>
  )
}
