import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { openLinkPopup, sendLinkCode, startLink } from '../../src/provider-wire.ts'
import { codeCode, passwordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { usePageData } from '../page/page-data.ts'
import type { Opener } from './opener.ts'
import { Connecting, Ending } from './popup-cards.tsx'
import { ProofField } from './proof-field.tsx'
import { type OpenPopup, orTellOpener, usePopup } from './use-popup.ts'

const open = (accessToken: string) => post<typeof openLinkPopup>('/sso/link-account/open/', { accessToken })

/** Links a login provider: asks the account page who this is, then the person for a proof, and goes to the provider. */
export function LinkAccountPopup({ provider }: { provider: ProviderName }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const state = usePopup(open, 'linkAccountError')
  const name = common(`providers.${provider}`)

  switch (state.step) {
    case 'connecting':
      return <Connecting title={t('linkAccount.title', { provider: name })} />
    case 'no-opener':
      return <Ending title={t('popup.noOpenerTitle')} text={t('linkAccount.noOpener')} />
    case 'failed':
      return <Ending title={t('popup.failedTitle')} text={t('linkAccount.failed')} problem={state.problem} />
    case 'open':
      return <LinkForm popup={state.popup} opener={state.opener} provider={provider} name={name} />
  }
}

interface FormProps {
  popup: OpenPopup
  opener: Opener
  provider: ProviderName
  name: string
}

function LinkForm({ popup: { popupId, email, hasPassword }, opener, provider, name }: FormProps) {
  const { t } = useTranslation()
  const { locale } = usePageData()
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { proof: '' },
    schema: fieldSchema({ proof: hasPassword ? passwordCode : codeCode }),
    problemFields: { wrong_current_password: 'proof', wrong_code: 'proof' },
    async send({ proof }) {
      const body = { popupId, provider, locale, proof: hasPassword ? proof : proof.trim() }
      const { redirectUrl } = await post<typeof startLink>('/sso/link-account/start/', body)
      location.assign(redirectUrl)
      // The button stays busy until the page is gone.
      return new Promise<never>(() => undefined)
    },
  })

  async function sendCode() {
    await orTellOpener(opener, 'linkAccountError', () =>
      post<typeof sendLinkCode>('/sso/link-account/code/', { popupId }),
    )
    return true
  }

  function cancel() {
    opener.tell('linkAccountClose')
    window.close()
  }

  return (
    <Card
      title={t('linkAccount.title', { provider: name })}
      lead={t(hasPassword ? 'linkAccount.lead' : 'linkAccount.codeLead', { email, provider: name })}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={refusal} />
        <ProofField email={email} hasPassword={hasPassword} onSendCode={sendCode} {...form.getInputProps('proof')} />
        <div className={classes.actions}>
          <Button type="submit" loading={isBusy}>
            {t('linkAccount.submit', { provider: name })}
          </Button>
          <Button variant="default" onClick={cancel} disabled={isBusy}>
            {t('popup.cancel')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
