import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { finishProvider } from '../../src/provider-wire.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { openerOf } from '../popup/opener.ts'
import { CloseWindow } from '../popup/popup-cards.tsx'
import { goOn } from '../screens/go-on.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { type KeptReturn, keepReturn, keptReturn, type ReturnPage } from './kept-return.ts'

/** The way back from a provider: redeems its answer, once. */
export function ProviderReturnScreen({ page: shown }: { page: ReturnPage }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { accountUrl } = usePageData()
  const [state, setState] = useState<KeptReturn>()
  const provider = common(`providers.${shown.provider}`)

  useEffect(() => {
    redeem(shown).then(setState)
  }, [shown])

  if (!state) {
    return (
      <Card title={t(shown.isLink ? 'linkAccount.title' : 'providerReturn.title', { provider })}>
        <p className={classes.lead} role="status">
          {t('frame.busy')}
        </p>
      </Card>
    )
  }
  const { page, outcome } = state
  if (!outcome) return <Failed page={page} problem={state.problem} />
  if (outcome.step === 'linked') return <Linked provider={provider} accountUrl={accountUrl} />
  return (
    <ConfirmIdentity
      pending={outcome}
      page={page}
      progress={state.progress}
      onProgress={(progress) => keepReturn({ page, outcome, progress })}
    />
  )
}

/** Redeems the answer in the address; without one, the page is shown again, as it was. */
async function redeem(shown: ReturnPage): Promise<KeptReturn> {
  const parameters = new URLSearchParams(location.search)
  parameters.delete('locale')
  const kept = parameters.size === 0 ? keptReturn(shown.provider) : undefined
  if (kept?.outcome || kept?.problem) return kept

  const { page } = kept ?? { page: shown }
  const state = await finish(page, location.search)
  keepReturn(state)
  return state
}

/** Takes the answer out of the address first, so that it stays neither there nor in the history. */
async function finish(page: ReturnPage, answer: string): Promise<KeptReturn> {
  keepReturn({ page })
  history.replaceState(null, '', location.pathname)
  try {
    const { provider } = page
    const outcome = await post<typeof finishProvider>('/sso/providers/finish/', { provider, answer })
    return outcome.step === 'signed-in' ? await goOn(outcome) : { page, outcome }
  } catch (problem) {
    return { page, problem }
  }
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

function Failed({ page, problem }: { page: ReturnPage; problem: unknown }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const provider = common(`providers.${page.provider}`)
  const sentence = useSentence(page, problem)

  return (
    <Card title={t(page.isLink ? 'linkAccount.failedTitle' : 'providerReturn.failedTitle', { provider })} isAnswer>
      <div className={classes.form}>
        <FormFailure problem={problem} sentence={sentence} />
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

/** Nobody who links an account can sign in another way instead. */
const linkFailures: Readonly<Record<string, 'linkAccount.canceled' | 'linkAccount.refused' | 'linkAccount.taken'>> = {
  provider_canceled: 'linkAccount.canceled',
  provider_refused: 'linkAccount.refused',
  identity_taken: 'linkAccount.taken',
}

/** What the code of the problem does not say: at which provider, and whether an account was to be linked. */
function useSentence({ provider, isLink }: ReturnPage, problem: unknown): string | undefined {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { brandName: brand } = usePageData()
  if (!(problem instanceof CallProblem)) return undefined
  const values = { provider: common(`providers.${provider}`), brand }
  if (!isLink) return problem.code === 'provider_canceled' ? t('providerReturn.canceled', values) : undefined
  const text = linkFailures[problem.code]
  return text && t(text, values)
}
