import type { PaidSum } from '@atrium/contract/orders.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Money } from '@atrium/ui/money.tsx'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './paid-sums.module.css'

interface Props {
  paid: readonly PaidSum[]
  /** Of the chosen calendar year, whose months are shown. */
  year: number | undefined
  /** Whether they are of the filters before, until those of the new ones are here. */
  isStale: boolean
  onYear(year: number): void
}

/**
 * What was paid for the orders that match the filters, by currency; of a calendar year with a bar for each month. Without a range, the
 * latest two years are buttons that choose it.
 */
export function PaidSums({ paid, year, isStale, onYear }: Props) {
  const { t } = useTranslation('orders')
  const id = useId()
  if (paid.length === 0) return null

  return (
    <section
      aria-labelledby={id}
      className={classes.paid}
      data-year={year}
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.5 : 1 }}
    >
      <div className={classes.words}>
        <h2 id={id} className={classes.title}>
          {year === undefined ? t('paid.all') : t('paid.inYear', { year })}
        </h2>
        <ul className={classes.sums}>
          {paid.map(({ amount, currency }) => (
            <li key={currency}>
              <Money amount={amount} currency={currency} />
            </li>
          ))}
        </ul>
        <p className={classes.what}>{t('paid.what')}</p>
      </div>
      <Years paid={paid} onYear={onYear} />
      {year !== undefined && paid.every(({ months }) => months.length > 0) && (
        <div className={classes.charts}>
          {paid.map((sum) => (
            <div key={sum.currency} className={classes.chart}>
              {paid.length > 1 && <p className={classes.what}>{sum.currency}</p>}
              <Months {...sum} />
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

function Years({ paid, onYear }: Pick<Props, 'paid' | 'onYear'>) {
  const locale = useLocale()
  const sums = paid.flatMap(({ years, currency }) => years.map((sum) => ({ ...sum, currency })))
  const latest = [...new Set(sums.map(({ year }) => year))].toSorted((one, other) => other - one).slice(0, 2)
  if (latest.length === 0) return null

  return (
    <div className={classes.years}>
      {latest.map((year) => {
        const amounts = sums.filter((sum) => sum.year === year).map((sum) => formatMoney(locale, sum))
        return (
          <Button key={year} variant="default" size="xs" onClick={() => onYear(year)}>
            {year} <span className={classes.amounts}>{joinWithDots(amounts)}</span>
          </Button>
        )
      })}
    </div>
  )
}

/** A bar for each month; what was given back for more than was paid in one has none. */
function Months({ months, currency }: PaidSum) {
  const { t } = useTranslation('orders')
  const locale = useLocale()
  const [short, long] = (['narrow', 'long'] as const).map(
    (month) => new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' }),
  )
  const most = Math.max(...months, 1)

  return (
    <ol className={classes.months} aria-label={t('paid.byMonth', { currency })}>
      {months.map((amount, month) => {
        const date = new Date(Date.UTC(2000, month))
        const words = `${long?.format(date)}: ${formatMoney(locale, { amount, currency })}`
        return (
          // A year has its months in a fixed order.
          <li key={date.getTime()} title={words}>
            {amount > 0 && <span className={classes.bar} style={{ height: `${(amount / most) * 100}%` }} aria-hidden />}
            <span className={classes.month} aria-hidden>
              {/* The number alone where a language adds a word to it, for which there is no room. */}
              {short?.formatToParts(date).find(({ type }) => type === 'month')?.value}
            </span>
            <VisuallyHidden>{words}</VisuallyHidden>
          </li>
        )
      })}
    </ol>
  )
}
