import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { codeCode, passwordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { PopupActions } from './popup-actions.tsx'
import { ProofField } from './proof-field.tsx'
import { type OpenPopup, orReportError } from './use-popup.ts'

/** Fields of the problems of authenticating again. */
export const proofFields = { wrong_current_password: 'proof', wrong_code: 'proof' } as const

export interface PopupProof {
  popupId: string
  /** The current password, or the emailed code. */
  proof: string
}

interface Props {
  popup: OpenPopup
  title: string
  lead: string
  submitLabel: string
  isDestructive?: boolean
  send(proof: PopupProof): Promise<void>
}

/** A change for which its owner authenticates again, and enters nothing else. */
export function ProofForm({ popup, send, title, lead, ...actions }: Props) {
  const { popupId, hasPassword, opener } = popup
  const { form, isBusy, refusal, clearRefusal, submit } = useContractForm({
    initialValues: { proof: '' },
    schema: fieldSchema({ proof: hasPassword ? passwordCode : codeCode }),
    problemFields: proofFields,
    send: ({ proof }) => orReportError(opener, () => send({ popupId, proof })),
  })

  function forgetOldCode() {
    clearRefusal()
    form.setFieldValue('proof', '')
  }

  return (
    <Card title={title} lead={lead}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={refusal} />
        <ProofField popup={popup} refusal={refusal} onCodeSent={forgetOldCode} {...form.getInputProps('proof')} />
        <PopupActions opener={opener} isBusy={isBusy} {...actions} />
      </form>
    </Card>
  )
}
