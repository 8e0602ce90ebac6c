import { localePath } from '@atrium/contract/locale.ts'
import { quoteLimits, quoteTerms } from '@atrium/contract/quotes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { FormGrid, focusOnceShown, wholeRow } from '@atrium/ui/form-grid.tsx'
import { FormSelect } from '@atrium/ui/form-select.tsx'
import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import classes from './quote-form.module.css'
import { type QuoteFormProps, useQuoteForm } from './use-quote-form.ts'

/** Seconds. A longer wait is that of the daily limit, not of the rate limit. */
const longWait = 3600

/** What to quote, and for whom. Input stays after any failure. */
export function QuoteForm(props: QuoteFormProps) {
  const { t } = useTranslation('quotes')
  const { form, submit, refusal, isBusy } = useQuoteForm(props)
  const isDayOver = refusal instanceof CallProblem && (refusal.retryAfter ?? 0) > longWait

  return (
    <form onSubmit={submit} noValidate>
      <p className={classes.lead}>{t('lead')}</p>
      {refusal !== undefined && <InlineFailure problem={refusal} {...(isDayOver && { sentence: t('tooOften') })} />}
      <Fields form={form} known={props.known} />
      <Privacy />
      <FormActions label={t('send')} isBusy={isBusy} onClose={props.onClose} />
    </form>
  )
}

function Fields({ form, known }: Pick<QuoteFormProps, 'known'> & Pick<ReturnType<typeof useQuoteForm>, 'form'>) {
  const { t } = useTranslation('quotes')
  const { locale } = usePage()
  const field = (name: keyof typeof form.values) => ({
    label: t(`fields.${name}`),
    ...form.getInputProps(name),
  })
  const required = { withAsterisk: true, 'aria-required': true } as const

  return (
    <FormGrid>
      <FormSelect
        {...field('productCode')}
        value={form.values.productCode}
        choices={known.products}
        className={wholeRow}
        placeholder={t('choose.product')}
        ref={focusOnceShown}
        data-autofocus
      />
      <NumberInput
        {...field('seats')}
        {...required}
        min={1}
        max={quoteLimits.seats}
        clampBehavior="none"
        allowDecimal={false}
        {...separators(locale.code)}
        allowNegative={false}
      />
      <NativeSelect {...field('term')} data={quoteTerms.map((term) => ({ value: term, label: t(`terms.${term}`) }))} />
      <TextInput {...field('company')} {...required} autoComplete="organization" />
      <FormSelect
        {...field('country')}
        value={form.values.country}
        choices={known.countryList}
        placeholder={t('choose.country')}
      />
      <Textarea {...field('message')} className={wholeRow} rows={3} />
    </FormGrid>
  )
}

/** A language's thousands separators, which are accepted in pasted numbers. */
function separators(language: string) {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8)
  const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { thousandSeparator: partOf('group'), decimalSeparator: partOf('decimal') }
}

function Privacy() {
  const { t } = useTranslation('quotes')
  const { t: frame } = useTranslation('frame')
  const { settings, locale } = usePage()

  return (
    <p className={classes.privacy}>
      {t('privacy')}{' '}
      <a
        href={`${settings.siteUrl}${localePath(locale, '/company/privacy-policy.html')}`}
        target="_blank"
        rel="noopener"
      >
        {frame('menu.privacy')}
      </a>
    </p>
  )
}
