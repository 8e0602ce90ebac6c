import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { useTranslation } from 'react-i18next'
import type { changePassword } from '../../src/wire.ts'
import { codeCode, isSamePassword, newPasswordCode, passwordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { PasswordField } from '../page/password-field.tsx'
import { PopupActions } from './popup-actions.tsx'
import { ProofField } from './proof-field.tsx'
import { proofFields } from './proof-form.tsx'
import { type OpenPopup, orReportError } from './use-popup.ts'

interface Props {
  popup: OpenPopup
  onDone(): void
}

/** The account page closes this window on success and on unrecoverable failures. */
export function ChangePasswordForm({ popup, onDone }: Props) {
  const { t } = useTranslation()
  const { popupId, email, hasPassword, opener } = popup
  const { form, isBusy, refusal, clearRefusal, submit } = useContractForm({
    initialValues: { proof: '', password: '' },
    schema: fieldSchema({
      proof: hasPassword ? passwordCode : codeCode,
      password: (password, { proof }) =>
        newPasswordCode(password) ??
        (hasPassword && isSamePassword(proof, password) ? 'password_unchanged' : undefined),
    }),
    problemFields: proofFields,
    async send({ proof, password }) {
      const body = { popupId, proof, password }
      await orReportError(opener, () => post<typeof changePassword>('/sso/reset-password/', body))
      opener.report('Success')
    },
    onSent: onDone,
  })

  function forgetOldCode() {
    clearRefusal()
    form.setFieldValue('proof', '')
  }

  return (
    <Card
      title={t(hasPassword ? 'popup.title' : 'choosePassword.title')}
      lead={t(hasPassword ? 'popup.lead' : 'popup.codeLead', { email })}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={refusal} />
        <ProofField popup={popup} refusal={refusal} onCodeSent={forgetOldCode} {...form.getInputProps('proof')} />
        <PasswordField
          label={t('field.newPassword')}
          description={t('field.passwordHint')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PopupActions
          opener={opener}
          submitLabel={t(hasPassword ? 'popup.submit' : 'choosePassword.submit')}
          isBusy={isBusy}
        />
      </form>
    </Card>
  )
}
