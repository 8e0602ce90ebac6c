import { ProfileEdit, type ProfileReply } from '@atrium/contract/profile.ts'
import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { FormGrid } from '@atrium/ui/form-grid.tsx'
import { inNameOrder } from '@atrium/ui/person-name.ts'
import { useFieldText } from '@atrium/ui/problem-text.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { focusFirstInvalid } from '../../api/focus-first-invalid.ts'
import { schemaErrors } from '../../api/schema-errors.ts'
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

/** 000 §5. What was typed stays, whatever the server says. */
export function EditProfileDialog({ profile, onClose }: Props) {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation('common')
  const { locale } = usePage()
  const { form, update, submit, refusal } = useProfileForm(profile, locale.code, () => {
    showSuccess(t('saved'))
    onClose()
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
      key={form.key(field)}
    />
  )

  return (
    <DialogFrame title={t('edit')} onClose={onClose} busy={update.isPending} isForm width={560}>
      <form onSubmit={submit} noValidate>
        {refusal && <InlineFailure problem={refusal} />}
        <FormGrid>
          {names.map((name) => input(name, true))}
          {input('phone')}
          {input('company')}
          <ReadOnly label={t('fields.email')} value={profile.member.memEmail} />
          <ReadOnly label={t('fields.country')} value={countryName(profile)} />
        </FormGrid>
        <p className={classes.hint}>{t('readOnly')}</p>
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={update.isPending}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={update.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
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

/** The same rules before and after the request: the contract's, told in the reader's words. */
function useProfileForm({ member }: ProfileReply, lang: Parameters<typeof useUpdateProfile>[0], onSaved: () => void) {
  const fieldText = useFieldText()
  const update = useUpdateProfile(lang)
  const form = useForm<ProfileEdit>({
    mode: 'uncontrolled',
    initialValues: {
      firstName: member.memFirstName,
      lastName: member.memLastName,
      phone: member.memPhone,
      company: member.memCompany,
    },
    validate: (values) => inWords(schemaErrors(ProfileEdit, values)),
  })

  function inWords(codes: Readonly<Record<string, string>>) {
    return Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, fieldText(code)]))
  }

  const submit = form.onSubmit(
    (values) =>
      update.mutate(values, {
        onSuccess: onSaved,
        onError: (problem) => {
          form.setErrors(inWords(fieldErrors(problem)))
          focusFirstInvalid(form, Object.keys(fieldErrors(problem)))
        },
      }),
    (errors) => focusFirstInvalid(form, Object.keys(errors)),
  )

  const isAboutFields = Object.keys(fieldErrors(update.error)).length > 0
  return { form, update, submit, refusal: isAboutFields ? null : update.error }
}
