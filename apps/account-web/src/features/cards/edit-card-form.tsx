import { type CreditCard, stateCountry } from '@atrium/contract/cards.ts'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { FormGrid, focusOnceShown, wholeRow } from '@atrium/ui/form-grid.tsx'
import { FormSelect } from '@atrium/ui/form-select.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { inNameOrder } from '@atrium/ui/person-name.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { AddedNotice } from './added-notice.tsx'
import classes from './cards.module.css'
import { type EditCardProps, useEditCard } from './use-edit-card.ts'

interface Props extends EditCardProps {
  card: CreditCard
  /** The card was just added. */
  isNew: boolean
  onClose(): void
}

export function EditCardForm({ card, isNew, onClose, ...rest }: Props) {
  const { t } = useTranslation('cards')
  const { t: common } = useTranslation('common')
  const parts = useEditCard(rest)

  return (
    <form onSubmit={parts.submit} noValidate>
      {parts.refusal !== undefined && <InlineFailure problem={parts.refusal} />}
      {isNew && parts.refusal === undefined && (
        <div className={classes.notice}>
          <AddedNotice card={card} />
        </div>
      )}
      {card.isExpired && (
        <div className={classes.notice}>
          <Notice tone="warning">{t('edit.expired')}</Notice>
        </div>
      )}
      <Fields known={rest.known} parts={parts} />
      <FormActions
        label={t('edit.save')}
        isBusy={parts.isBusy}
        cancelLabel={common(isNew ? 'close' : 'cancel')}
        onClose={onClose}
      />
    </form>
  )
}

const autoComplete = {
  firstname: 'cc-given-name',
  lastname: 'cc-family-name',
  address: 'billing street-address',
  city: 'billing address-level2',
  zip: 'billing postal-code',
} as const

interface FieldsProps extends Pick<EditCardProps, 'known'> {
  parts: ReturnType<typeof useEditCard>
}

function Fields({ known, parts: { form, chooseCountry } }: FieldsProps) {
  const { t } = useTranslation('cards')
  const { locale } = usePage()
  const { countryList, usaStateList } = known.detail
  const { country } = form.values
  const typed = (field: keyof typeof autoComplete, isRequired = false) => ({
    label: t(`fields.${field}`),
    autoComplete: autoComplete[field],
    withAsterisk: isRequired,
    'aria-required': isRequired || undefined,
    ...form.getInputProps(field),
  })

  return (
    <FormGrid>
      {inNameOrder(locale.code, 'firstname' as const, 'lastname' as const).map((name) => (
        <TextInput key={name} {...typed(name)} />
      ))}
      <FormSelect
        choices={countryList}
        label={t('fields.country')}
        placeholder={t('choose.country')}
        {...form.getInputProps('country')}
        value={country}
        onChange={({ currentTarget }) => chooseCountry(currentTarget.value)}
        autoComplete="billing country"
        className={country === stateCountry ? '' : wholeRow}
        ref={focusOnceShown}
        data-autofocus
      />
      {country === stateCountry && (
        <FormSelect
          choices={usaStateList}
          label={t('fields.state')}
          placeholder={t('choose.state')}
          {...form.getInputProps('state')}
          value={form.values.state}
          autoComplete="billing address-level1"
        />
      )}
      <TextInput {...typed('address')} className={wholeRow} />
      <TextInput {...typed('city', true)} />
      <TextInput {...typed('zip', true)} />
    </FormGrid>
  )
}
