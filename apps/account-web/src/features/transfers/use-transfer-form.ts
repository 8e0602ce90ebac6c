import { RecipientAccount, subscriptionTransfer } from '@atrium/contract/transfers.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useFieldText, useProblemText } from '@atrium/ui/problem-text.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSendCodes, type useTransfer } from './transfers.data.ts'
import { useCooldown } from './use-cooldown.ts'

const initialValues = { email: '', verificationCodeForCurrent: '', verificationCodeForRecipient: '' }

/** Whose sentence says more than that it failed. */
const explained = [
  'transfer_not_allowed',
  'transfer_not_possible',
  'too_often',
  'payment_provider_unavailable',
  'offline',
  'overloaded',
]

/** The form, and the button that sends both codes: a failure to do so is shown at the recipient (001 §5). */
export function useTransferForm(transfer: ReturnType<typeof useTransfer>) {
  const { t } = useTranslation('transfers')
  const fieldText = useFieldText()
  const problemText = useProblemText()
  const sending = useSendCodes()
  const [secondsLeft, coolDown] = useCooldown()
  const [sentTo, setSentTo] = useState('')
  const contractForm = useContractForm({
    initialValues,
    schema: subscriptionTransfer.body.omit({ lang: true }),
    send: transfer.send,
    refused: transfer.error ?? undefined,
    problemFields: { transfer_not_allowed: 'email' },
  })
  const { form, clearRefusal } = contractForm

  function refuse(sentence: string) {
    form.setFieldError('email', sentence)
    form.getInputNode('email')?.focus()
  }

  function sendCodes() {
    const { data: email, error } = RecipientAccount.safeParse(form.values.email)
    if (email === undefined) return refuse(fieldText(error?.issues[0]?.message ?? ''))
    form.clearErrors()
    sending.mutate(email, {
      onSuccess: ({ resendAfter }) => {
        coolDown(resendAfter)
        setSentTo(email)
        // The codes before are void.
        clearRefusal()
        form.setValues({ verificationCodeForCurrent: '', verificationCodeForRecipient: '' })
        form.getInputNode('verificationCodeForCurrent')?.focus()
      },
      onError: (problem) => {
        const isExplained = problem instanceof CallProblem && explained.includes(problem.code)
        refuse(isExplained ? problemText(problem) : t('codeError'))
      },
    })
  }

  return { ...contractForm, sendCodes, isSending: sending.isPending, secondsLeft, sentTo }
}
