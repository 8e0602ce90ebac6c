import { streetCountries } from '@atrium/contract/addresses.ts'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { FormGrid, focusOnceShown, wholeRow } from '@atrium/ui/form-grid.tsx'
import { FormSelect } from '@atrium/ui/form-select.tsx'
import { personName } from '@atrium/ui/person-name.ts'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useMember } from '../../page/member.data.ts'
import { usePage } from '../../page/page-data.ts'
import classes from './address-form.module.css'
import { StateField } from './state-field.tsx'
import { type AddressFormProps, useAddressForm } from './use-address-form.ts'

/** A billing address. Input stays after any failure. */
export function AddressForm({ address, isFirst, onClose, ...rest }: AddressFormProps) {
  const { t } = useTranslation('addresses')
  const parts = useAddressForm({ address, ...rest })
  const { isBusy } = parts

  return (
    <form onSubmit={parts.submit} noValidate>
      {parts.refusal !== undefined && <InlineFailure problem={parts.refusal} />}
      <Person />
      <Fields known={rest.known} parts={parts} />
      {isFirst && <p className={classes.note}>{t('edit.first')}</p>}
      {address?.isDefaultAddress === 1 && <p className={classes.note}>{t('edit.isDefault')}</p>}
      {!isFirst && address?.isDefaultAddress !== 1 && <UseAsDefault parts={parts} />}
      <FormActions label={t('edit.save')} isBusy={isBusy} isDisabled={!parts.states.list} onClose={onClose} />
    </form>
  )
}

/** The person's name and contact, which are not edited here (000 §5). */
function Person() {
  const { t } = useTranslation('addresses')
  const { locale } = usePage()
  const { firstName, lastName, email } = useMember()
  const name = personName(locale.code, firstName, lastName)

  return (
    <div className={classes.person}>
      <p className={classes.who}>{joinWithDots([name, email])}</p>
      <p>{t('edit.person')}</p>
    </div>
  )
}

interface PartsProps {
  parts: ReturnType<typeof useAddressForm>
}

function Fields({ known, parts }: Pick<AddressFormProps, 'known'> & PartsProps) {
  const { t } = useTranslation('addresses')
  const { form, country, states, chooseCountry } = parts
  const needsStreet = streetCountries.includes(country)
  const hasStates = country !== '' && states.list?.length !== 0
  const typed = (name: 'orderBillAddress' | 'orderBillCity' | 'orderBillZip', isRequired: boolean) => ({
    label: t(`fields.${name}`),
    ...form.getInputProps(name),
    withAsterisk: isRequired,
    'aria-required': isRequired || undefined,
  })

  return (
    <FormGrid>
      <FormSelect
        choices={known.countryList}
        label={t('fields.orderBillCountry')}
        placeholder={t('choose.country')}
        value={country}
        onChange={({ currentTarget }) => chooseCountry(currentTarget.value)}
        autoComplete="billing country"
        error={form.errors.orderBillCountry}
        data-path="orderBillCountry"
        className={hasStates ? '' : wholeRow}
        ref={focusOnceShown}
        data-autofocus
      />
      {hasStates && <StateField parts={parts} />}
      <TextInput
        {...typed('orderBillAddress', needsStreet)}
        className={wholeRow}
        autoComplete="billing street-address"
      />
      <TextInput {...typed('orderBillCity', needsStreet)} autoComplete="billing address-level2" />
      <TextInput {...typed('orderBillZip', true)} autoComplete="billing postal-code" />
    </FormGrid>
  )
}

function UseAsDefault({ parts: { form } }: PartsProps) {
  const { t } = useTranslation('addresses')
  const meaning = useId()

  return (
    <>
      <label className={classes.check}>
        <input
          {...form.getInputProps('isDefaultAddress', { type: 'checkbox' })}
          type="checkbox"
          aria-describedby={meaning}
        />
        <span>{t('fields.isDefaultAddress')}</span>
      </label>
      <p className={classes.meaning} id={meaning}>
        {t('done.future')}
      </p>
    </>
  )
}
