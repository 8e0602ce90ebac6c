import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { finishProvider, ProviderOutcome } from '../../src/provider-wire.ts'
import type { PageOf } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { openerOf } from '../popup/opener.ts'
import { CloseWindow } from '../popup/popup-cards.tsx'
import { goOn } from '../screens/go-on.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { keepPending, keptPending } from './kept-pending.ts'

type Page = PageOf<'provider-return'>

type State = { outcome: Exclude<ProviderOutcome, { step: 'signed-in' }> } | { problem: unknown } | undefined

/** The way back from a provider: redeems its answer, once. */
export function ProviderReturnScreen({ page }: { page: Page }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { accountUrl } = usePageData()
  const [state, setState] = useState<State>()
  const provider = common(`providers.${page.provider}`)

  useEffect(() => {
    redeem(page.provider).then(setState, (problem: unknown) => setState({ problem }))
  }, [page.provider])

  if (!state) {
    return (
      <Card title={t(page.isLink ? 'linkAccount.title' : 'providerReturn.title', { provider })}>
        <p className={classes.text} role="status">
          {t('frame.busy')}
        </p>
      </Card>
    )
  }
  if ('problem' in state) return <Failed page={page} problem={state.problem} />
  if (state.outcome.step === 'linked') return <Linked provider={provider} accountUrl={accountUrl} />
  return <ConfirmIdentity pending={state.outcome} provider={page.provider} />
}

/** Takes the answer out of the address, so that it stays neither there nor in the history. */
async function redeem(provider: Page['provider']) {
  const answer = location.search
  const kept = answer === '' ? keptPending(provider) : undefined
  if (kept) return { outcome: kept }

  history.replaceState(null, '', location.pathname)
  const outcome = await post<typeof finishProvider>('/sso/providers/finish/', { provider, answer })
  if (outcome.step === 'signed-in') return goOn(outcome)
  if (outcome.step === 'confirm') keepPending(provider, outcome)
  return { outcome }
}

function Linked({ provider, accountUrl }: { provider: string; accountUrl: string }) {
  const { t } = useTranslation()

  useEffect(() => {
    // A provider may have severed the opener, which then sees the change as soon as it is looked at again.
    openerOf(window, { task: 'linkAccount', origin: new URL(accountUrl).origin })?.report('Success')
  }, [accountUrl])

  return (
    <Card title={t('providerReturn.linkedTitle', { provider })} lead={t('providerReturn.linked')} isAnswer>
      <CloseWindow />
    </Card>
  )
}

function Failed({ page, problem }: { page: Page; problem: unknown }) {
  const { t } = useTranslation()

  return (
    <Card title={t(page.isLink ? 'popup.failedTitle' : 'providerReturn.failedTitle')} isAnswer>
      <div className={classes.form}>
        <FormFailure problem={problem} />
      </div>
      {page.isLink ? (
        <CloseWindow />
      ) : (
        <div className={classes.actions}>
          <Button component="a" href={linkTo('/cas/login', page.service, page)}>
            {t('providerReturn.back')}
          </Button>
        </div>
      )}
    </Card>
  )
}
