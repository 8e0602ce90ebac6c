import type { ChangeDetail } from '@atrium/contract/change-details.ts'
import type { ChangeQuote, PlanState, QuoteLine } from '@atrium/contract/change-quotes.ts'
import { formatDate, formatDays } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { joinWithDots, numbersTogether, unbroken } from '@atrium/ui/unbroken.ts'
import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { AmountLine, BalanceLines } from './amount-lines.tsx'
import classes from './plan-change.module.css'
import { yearlySaving } from './plan-change.rules.ts'

interface Props {
  detail: ChangeDetail
  isStale: boolean
  /** PayPal bills a new price only once the customer has confirmed it there. */
  isPaypal: boolean
}

/** Now and then, what is charged for it line by line, and what comes next. */
export function QuoteSummary({ detail, isStale, isPaypal }: Props) {
  const { quote } = detail
  const { t } = useTranslation('subscription-changes')
  const locale = useLocale()
  const { before, after, lines, currency, nextRenewal } = quote
  const money = (amount: number) => formatMoney(locale, { amount, currency })
  const saving = yearlySaving(before, after)
  const day = (instant: string) => formatDate(locale, new Date(instant), 'UTC')
  // Of a prepaid term: all lines are of the same time.
  const [paid] = nextRenewal === null ? lines : []

  return (
    <div className={classes.quote} data-stale={isStale} aria-busy={isStale}>
      <div className={classes.states}>
        <State label={t('change.now')} state={before} currency={currency} paidUntil={paid?.from} />
        <IconArrowRight size={20} stroke={1.6} className={classes.arrow} aria-hidden />
        <State label={t('change.then')} state={after} currency={currency} paidUntil={paid?.to} />
      </div>
      <dl className={classes.lines}>
        <ListPrice detail={detail} />
        {lines.map((line) => (
          <AmountLine key={`${line.kind} ${line.appName} ${line.amount}`} label={<LineText line={line} />}>
            {money(line.amount)}
          </AmountLine>
        ))}
        {quote.discount > 0 && (
          <AmountLine
            label={quote.couponCode ? t('change.discountOf', { code: quote.couponCode }) : t('change.discount')}
          >
            {money(-quote.discount)}
          </AmountLine>
        )}
        <AmountLine label={<TaxText country={detail.billingCountry} />}>{money(quote.taxAmount)}</AmountLine>
        <BalanceLines amounts={quote} />
        <div className={classes.due}>
          <dt>{t('change.due')}</dt>
          <dd>{money(quote.chargeAmount)}</dd>
        </div>
      </dl>
      <p className={classes.next}>
        {nextRenewal === null
          ? t('change.noRenewal')
          : t(renewalKey(nextRenewal, isPaypal), {
              date: day(nextRenewal.date),
              amount: money(nextRenewal.amount),
            })}{' '}
        {saving > 0 && <strong className={classes.saving}>{t('change.saving', { amount: money(saving) })}</strong>}
      </p>
    </div>
  )
}

/** What renews is confirmed at PayPal; a year that was ordered before goes on. */
function renewalKey({ paidType }: NonNullable<ChangeQuote['nextRenewal']>, isPaypal: boolean) {
  if (!isPaypal) return 'change.renewal'
  return paidType === 'yearly' ? 'change.renewalOfYear' : 'change.renewalAtPaypal'
}

interface StateProps {
  label: string
  state: PlanState
  currency: string
  /** Of a prepaid term; ISO 8601. */
  paidUntil: string | undefined
}

function State({ label, state, currency, paidUntil }: StateProps) {
  const { t } = useTranslation('subscription-changes')
  const { t: subscriptions } = useTranslation('subscriptions')
  const locale = useLocale()
  const { userCount, storageCapacity, esignConnectors, paidType, price } = state
  const size = [
    storageCapacity > 0
      ? subscriptions('storage', { count: storageCapacity })
      : t('change.seats', { count: userCount }),
    ...(esignConnectors > 0 ? [subscriptions('connectors', { count: esignConnectors })] : []),
  ]
  const isYearly = paidType === 'yearly' || paidType === 'paid_yearly'

  return (
    <div className={classes.state}>
      <span>{label}</span>
      <strong>{state.appName}</strong>
      <span>{joinWithDots([subscriptions(`terms.${paidType}`), ...size.map(unbroken)])}</span>
      <span>
        {formatMoney(locale, { amount: price, currency })} {subscriptions(isYearly ? 'per.year' : 'per.month')}
      </span>
      {paidUntil && <span>{t('change.paidUntil', { date: formatDate(locale, new Date(paidUntil), 'UTC') })}</span>}
    </div>
  )
}

/** What is bought, by the list: a price for a whole term, times the quantity (001 §5). What is charged for it now comes below. */
function ListPrice({ detail: { price, totalPrice, currency, quote } }: { detail: ChangeDetail }) {
  const { t } = useTranslation('subscription-changes')
  const { t: subscriptions } = useTranslation('subscriptions')
  const locale = useLocale()
  if (price === 0) return null
  const unit = formatMoney(locale, { amount: price, currency })
  return (
    <div className={classes.list}>
      <dt>
        {t('change.list', { price: unit, quantity: new Intl.NumberFormat(locale).format(totalPrice / price) })}
        <span className={classes.period}>{subscriptions(`terms.${quote.after.paidType}`)}</span>
      </dt>
      <dd>{formatMoney(locale, { amount: totalPrice, currency })}</dd>
    </div>
  )
}

function TaxText({ country }: { country: string }) {
  const { t } = useTranslation('subscription-changes')
  const names = new Intl.DisplayNames(useLocale(), { type: 'region' })
  return (
    <>
      {t('change.tax')}
      {country !== '' && (
        <span className={classes.period}>{t('change.billingCountry', { country: names.of(country) ?? country })}</span>
      )}
    </>
  )
}

function LineText({ line: { kind, appName, quantity, from, to } }: { line: QuoteLine }) {
  const { t } = useTranslation('subscription-changes')
  const locale = useLocale()
  const what = t(kind === 'credit' ? 'change.credit' : 'change.charge', { quantity, product: appName })
  return (
    <>
      {numbersTogether(what)}
      <span className={classes.period}>{formatDays(locale, new Date(from), new Date(to))}</span>
    </>
  )
}
