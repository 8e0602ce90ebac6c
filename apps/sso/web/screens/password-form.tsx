import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { FormEvent } from 'react'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { PasswordField } from '../page/password-field.tsx'

interface Props {
  title: string
  lead: string
  /** A second paragraph. */
  note?: string
  label: string
  description: string
  /** `autocomplete` for password managers. */
  autoComplete: 'new-password' | 'current-password'
  submitLabel: string
  form: UseFormReturnType<{ password: string }>
  isBusy: boolean
  refusal: unknown
  onSubmit(event: FormEvent<HTMLFormElement>): void
}

/** A card with one password field, the target of emailed links. */
export function PasswordForm({ form, isBusy, refusal, onSubmit, ...words }: Props) {
  return (
    <Card title={words.title} lead={words.lead}>
      {words.note && <p className={classes.hint}>{words.note}</p>}
      <form className={classes.form} onSubmit={onSubmit} noValidate>
        <FormFailure problem={refusal} />
        <PasswordField
          label={words.label}
          description={words.description}
          autoComplete={words.autoComplete}
          autoFocus
          {...form.getInputProps('password')}
        />
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {words.submitLabel}
        </Button>
      </form>
    </Card>
  )
}
