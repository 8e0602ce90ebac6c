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
export function ProviderReturnScreen({ page: answered }: { page: Page }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { accountUrl } = usePageData()
  const [page] = useState(() => originalPage(answered))
  const [state, setState] = useState<State>()
  const provider = common(`providers.${page.provider}`)

  useEffect(() => {
    redeem(page).then(setState, (problem: unknown) => setState({ problem }))
  }, [page])

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

/** After a reload the address no longer names the sign-in, so the page of the first visit counts: it knows where the person came from. */
function originalPage(page: Page): Page {
  return history.state?.page ?? page
}

/** Takes the answer out of the address, so that it stays neither there nor in the history. */
async function redeem(page: Page) {
  const { provider } = page
  const answer = location.search
  const kept = answer === '' ? keptPending(provider) : undefined
  if (kept) return { outcome: kept }

  history.replaceState({ page }, '', location.pathname)
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
      <div className={classes.actions}>
        <CloseWindow />
      </div>
    </Card>
  )
}

function Failed({ page, problem }: { page: Page; problem: unknown }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')

  return (
    <Card title={t(page.isLink ? 'popup.failedTitle' : 'providerReturn.failedTitle')} isAnswer>
      <div className={classes.form}>
        <FormFailure problem={problem} />
      </div>
      <div className={classes.actions}>
        {page.isLink ? (
          <>
            <Button component="a" href={`/link-account?provider=${page.provider}`}>
              {common('retry')}
            </Button>
            <CloseWindow />
          </>
        ) : (
          <Button component="a" href={linkTo('/cas/login', page.service, page)}>
            {t('providerReturn.back')}
          </Button>
        )}
      </div>
    </Card>
  )
}
