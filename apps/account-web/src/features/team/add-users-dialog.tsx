import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { addSubscriptionUsers } from '@atrium/contract/team.ts'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { InvitationReport } from './invitation-report.tsx'
import { RoleChoice } from './role-choice.tsx'
import { type SubscribeDetail, type Team, useAddUsers } from './team.data.ts'
import classes from './team.module.css'
import { addressesFault, addressesIn, invalidAddresses, toCorrect } from './team.rules.ts'

interface Props {
  team: Team
  detail: SubscribeDetail
  onClose(): void
}

interface Typed {
  emails: string
  setupType: 'member' | 'setup-admin'
}

type Results = EndpointReply<typeof addSubscriptionUsers>['results']

const Asked = addSubscriptionUsers.body.pick({ emailList: true, setupType: true, type: true })

/** Add User (001 §5): up to ten addresses at a time. If some of them could not be invited, it says which, and why; those can be corrected. */
export function AddUsersDialog({ team, detail, onClose }: Props) {
  const { t } = useTranslation('team')
  const [refused, setRefused] = useState<Results>()
  const { key, renew } = useIdempotencyKey()
  const add = useAddUsers(team, key)
  const free = Math.max(0, detail.userCount - detail.joinCount)
  const initialValues: Typed = {
    emails: '',
    setupType: free === 0 && detail.hasSetupAdmins === 1 ? 'setup-admin' : 'member',
  }
  const { form, submit, refusal, isBusy } = useContractForm({
    initialValues,
    schema: Asked,
    toRequest: ({ emails, setupType }) => ({
      ...{ emailList: addressesIn(emails), setupType },
      type: setupType === 'setup-admin',
    }),
    check: ({ emails }) => ({ emails: addressesFault(addressesIn(emails)) }),
    send: add.mutateAsync,
    onSent({ results }) {
      renew()
      if (results.some(({ result }) => result !== 'invited')) return setRefused(results)
      showSuccess(t('done.added'))
      onClose()
    },
    problemFields: { email_required: 'emails' },
  })

  const rest = toCorrect(refused ?? [])
  function correct() {
    form.setFieldValue('emails', rest)
    setRefused(undefined)
  }

  const emails = form.getInputProps('emails')
  if (refused)
    return <InvitationReport results={refused} onCorrect={rest === '' ? undefined : correct} onClose={onClose} />
  return (
    <DialogFrame title={t('add.title', { product: detail.appName })} onClose={onClose} busy={isBusy} isForm width={560}>
      <form onSubmit={submit} noValidate>
        {refusal !== undefined && <InlineFailure problem={refusal} />}
        <RoleChoice
          value={form.values.setupType}
          free={free}
          hasSetupAdmins={detail.hasSetupAdmins === 1}
          onChange={(setupType) => form.setFieldValue('setupType', setupType)}
          disabled={isBusy}
        />
        <Textarea
          {...emails}
          error={emails.error && <EmailFault fault={emails.error} typed={form.values.emails} />}
          label={t('add.emails')}
          description={t('add.emailsHint')}
          autosize
          minRows={2}
          maxRows={6}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={3000}
        />
        <FormActions label={t('add.send')} isBusy={isBusy} onClose={onClose} />
      </form>
    </DialogFrame>
  )
}

/** Names the addresses that are not valid: the list may be a pasted one. */
function EmailFault({ fault, typed }: { fault: ReactNode; typed: string }) {
  const addresses = addressesIn(typed)
  const isInvalid = addressesFault(addresses) === 'email_invalid'
  return (
    <>
      {fault}
      {isInvalid && <strong className={classes.invalid}>{invalidAddresses(addresses).join(', ')}</strong>}
    </>
  )
}
