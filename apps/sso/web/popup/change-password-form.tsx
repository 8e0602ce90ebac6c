import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { changePassword, sendPopupCode } from '../../src/wire.ts'
import { codeCode, isSamePassword, newPasswordCode, passwordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { PasswordField } from '../page/password-field.tsx'
import type { Opener } from './opener.ts'
import { ProofField } from './proof-field.tsx'
import { type OpenPopup, orTellOpener } from './use-popup.ts'

interface Props {
  popup: OpenPopup
  opener: Opener
  onDone(): void
}

/** The account page closes this window on success and on unrecoverable failures. */
export function ChangePasswordForm({ popup, opener, onDone }: Props) {
  const { t } = useTranslation()
  const { popupId, email, hasPassword } = popup
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { proof: '', password: '' },
    schema: fieldSchema({
      proof: hasPassword ? passwordCode : codeCode,
      password: (password, { proof }) =>
        newPasswordCode(password) ??
        (hasPassword && isSamePassword(proof, password) ? 'password_unchanged' : undefined),
    }),
    problemFields: { wrong_current_password: 'proof', wrong_code: 'proof' },
    async send({ proof, password }) {
      const body = { popupId, proof: hasPassword ? proof : proof.trim(), password }
      await orTellOpener(opener, 'resetPasswordError', () => post<typeof changePassword>('/sso/reset-password/', body))
      opener.tell('resetPasswordSuccess')
    },
    onSent: onDone,
  })

  async function sendCode() {
    await orTellOpener(opener, 'resetPasswordError', () =>
      post<typeof sendPopupCode>('/sso/reset-password/code/', { popupId }),
    )
    return true
  }

  function cancel() {
    opener.tell('resetPasswordClose')
    window.close()
  }

  return (
    <Card title={t('popup.title')} lead={t(hasPassword ? 'popup.lead' : 'popup.codeLead', { email })}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={refusal} />
        <ProofField email={email} hasPassword={hasPassword} onSendCode={sendCode} {...form.getInputProps('proof')} />
        <PasswordField
          label={t('field.newPassword')}
          description={t('field.passwordHint')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <div className={classes.actions}>
          <Button type="submit" loading={isBusy}>
            {t('popup.submit')}
          </Button>
          <Button variant="default" onClick={cancel} disabled={isBusy}>
            {t('popup.cancel')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
