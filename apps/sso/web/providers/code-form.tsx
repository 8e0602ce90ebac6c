import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { confirmProviderCode, sendProviderCode } from '../../src/provider-wire.ts'
import { codeCode, emailCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { CodeField } from '../page/code-field.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { SendCode } from '../popup/send-code.tsx'
import { goOn } from '../screens/go-on.ts'

export interface IdentityFormProps {
  pendingId: string
  email: string
  onEmail(email: string): void
}

interface Props extends IdentityFormProps {
  /** Whether the latest code was sent to `email`. */
  isCodeSent: boolean
  /** Whether it was refused since, as one that no longer works. */
  isCodeSpent: boolean
  onCodeSent(email: string): void
  onCodeSpent(): void
}

/** The code is sent to the address in the form, and proves that it is the person's. */
export function CodeForm({ pendingId, email, onEmail, ...code }: Props) {
  const { isCodeSent, isCodeSpent, onCodeSent, onCodeSpent } = code
  const { t } = useTranslation()
  const { form, isBusy, refusal, clearRefusal, submit } = useContractForm({
    initialValues: { email, code: '' },
    schema: fieldSchema({ email: emailCode, code: codeCode }),
    problemFields: { wrong_code: 'code' },
    send: confirm,
  })

  async function confirm(values: { email: string; code: string }) {
    try {
      await goOn(await post<typeof confirmProviderCode>('/sso/providers/confirm-code/', { pendingId, ...values }))
    } catch (problem) {
      if (isCodeSent && problem instanceof CallProblem && problem.code === 'code_spent') onCodeSpent()
      throw problem
    }
  }

  async function sendCode() {
    if (form.validateField('email').hasError) return
    const { email: address } = form.getValues()
    await post<typeof sendProviderCode>('/sso/providers/code/', { pendingId, email: address })
    onCodeSent(address)
    clearRefusal()
    form.setFieldValue('code', '')
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <FormFailure problem={refusal} />
      <TextInput
        type="email"
        label={t('field.email')}
        autoComplete="email"
        {...form.getInputProps('email')}
        onChange={(event) => {
          form.setFieldValue('email', event.currentTarget.value)
          onEmail(event.currentTarget.value)
          // It was about a code and the address before.
          clearRefusal()
        }}
      />
      <SendCode send={sendCode} isSent={isCodeSent} isRefused={isCodeSpent || refusal !== undefined} />
      <CodeField {...form.getInputProps('code')} />
      <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
        {t('confirmIdentity.submit')}
      </Button>
    </form>
  )
}
