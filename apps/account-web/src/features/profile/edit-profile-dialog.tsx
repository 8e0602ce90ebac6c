import { ProfileEdit, type ProfileReply } from '@atrium/contract/profile.ts'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { FormGrid } from '@atrium/ui/form-grid.tsx'
import { inNameOrder } from '@atrium/ui/person-name.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { countryName } from './country-name.ts'
import classes from './edit-profile-dialog.module.css'
import { useUpdateProfile } from './profile.data.ts'

interface Props {
  profile: ProfileReply
  onClose(): void
}

const autoComplete = {
  firstName: 'given-name',
  lastName: 'family-name',
  phone: 'tel',
  company: 'organization',
} as const

/** 000 §5. Input stays after any failure. */
export function EditProfileDialog({ profile, onClose }: Props) {
  const { t } = useTranslation('profile')
  const { locale } = usePage()
  const { memFirstName, memLastName, memPhone, memCompany } = profile.member
  const update = useUpdateProfile(locale.code)
  const { form, submit, refusal, isBusy } = useContractForm({
    initialValues: { firstName: memFirstName, lastName: memLastName, phone: memPhone, company: memCompany },
    schema: ProfileEdit,
    send: update.mutateAsync,
    onSent() {
      showSuccess(t('saved'))
      onClose()
    },
  })

  const names = inNameOrder(locale.code, 'firstName' as const, 'lastName' as const)

  const input = (field: keyof ProfileEdit, isRequired = false) => (
    <TextInput
      label={t(`fields.${field}`)}
      autoComplete={autoComplete[field]}
      withAsterisk={isRequired}
      aria-required={isRequired || undefined}
      {...(field === 'phone' && { type: 'tel' })}
      {...(field === names[0] && { 'data-autofocus': true })}
      {...form.getInputProps(field)}
      key={field}
    />
  )

  return (
    <DialogFrame title={t('edit')} onClose={onClose} busy={isBusy} isForm width={560}>
      <form onSubmit={submit} noValidate>
        {refusal !== undefined && <InlineFailure problem={refusal} />}
        <FormGrid>
          {names.map((name) => input(name, true))}
          {input('phone')}
          {input('company')}
          <ReadOnly label={t('fields.email')} value={profile.member.memEmail} />
          <ReadOnly label={t('fields.country')} value={countryName(profile)} />
        </FormGrid>
        <p className={classes.hint}>{t('readOnly')}</p>
        <FormActions label={t('save')} isBusy={isBusy} onClose={onClose} />
      </form>
    </DialogFrame>
  )
}

function ReadOnly({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value || '–'}</div>
    </div>
  )
}
