import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageOf, sendSignInCode, signInWithCode } from '../../src/wire.ts'
import { codeCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { CodeField } from '../page/code-field.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { SendCode } from '../popup/send-code.tsx'
import { goOn } from './go-on.ts'
import { ProgramNote } from './program-note.tsx'

/** Signing in again to an account without a password. */
export function SignInCodeScreen({ page }: { page: PageOf<'sign-in-code'> }) {
  const { t } = useTranslation()
  const { service, method, email } = page
  const [code, setCode] = useState<'none' | 'sent' | 'spent'>(page.isCodeSent ? 'sent' : 'none')
  const { form, isBusy, refusal, clearRefusal, submit } = useContractForm({
    initialValues: { code: '' },
    schema: fieldSchema({ code: codeCode }),
    problemFields: { wrong_code: 'code' },
    send: async (values) =>
      goOn(await post<typeof signInWithCode>('/sso/sign-in/confirm-code/', { ...values, service, method })),
  })
  // It stays spent when the form is refused for something else.
  if (code === 'sent' && refusal instanceof CallProblem && refusal.code === 'code_spent') setCode('spent')

  async function sendCode() {
    await post<typeof sendSignInCode>('/sso/sign-in/code/', {})
    setCode('sent')
    clearRefusal()
    form.setFieldValue('code', '')
  }

  return (
    <Card title={t('signInCode.title')} lead={t('popup.codeLead', { email })}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <ProgramNote program={page.program} />
        <FormFailure problem={refusal} />
        <SendCode send={sendCode} isSent={code !== 'none'} isRefused={code === 'spent' || refusal !== undefined} />
        <CodeField {...form.getInputProps('code')} />
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('confirmIdentity.submit')}
        </Button>
      </form>
    </Card>
  )
}
