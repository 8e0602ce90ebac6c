import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { unlinkAccount } from '../../src/provider-wire.ts'
import { post } from '../api/post.ts'
import { Ending, Popup } from './popup-cards.tsx'
import { type PopupProof, ProofForm } from './proof-form.tsx'
import { type OpenPopup, usePopup } from './use-popup.ts'

/** Unlinks a login provider: asks the account page who this is, then the person for a proof. */
export function UnlinkAccountPopup({ accountId }: { accountId: string }) {
  const { t } = useTranslation()
  const state = usePopup('unlinkAccount')

  return (
    <Popup title={t('unlinkAccount.connectingTitle')} state={state}>
      {(popup) => <Unlinking popup={popup} accountId={accountId} />}
    </Popup>
  )
}

function Unlinking({ popup, accountId }: { popup: OpenPopup; accountId: string }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const [isDone, setDone] = useState(false)

  async function send(proof: PopupProof) {
    await post<typeof unlinkAccount>('/sso/unlink-account/', { ...proof, id: accountId })
    popup.opener.report('Success')
    setDone(true)
  }

  const linked = popup.linkedAccounts.find(({ id }) => id === accountId)
  if (!linked) return <Ending title={t('unlinkAccount.doneTitle')} text={t('unlinkAccount.gone')} />

  const provider = common(`providers.${linked.provider}`)
  const account = linked.email === null ? provider : `${provider} (${linked.email})`
  if (isDone) return <Ending title={t('unlinkAccount.doneTitle')} text={t('unlinkAccount.done', { account })} />
  return (
    <ProofForm
      popup={popup}
      title={t('unlinkAccount.title', { provider })}
      lead={t(popup.hasPassword ? 'unlinkAccount.lead' : 'unlinkAccount.codeLead', { account, email: popup.email })}
      submitLabel={t('unlinkAccount.submit', { provider })}
      isDestructive
      send={send}
    />
  )
}
