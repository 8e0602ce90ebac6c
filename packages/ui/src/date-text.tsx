import { formatDate, formatMoment } from './date-format.ts'
import { useLocale } from './locale.ts'

interface Props {
  date: Date
  /** With time of day and zone, for something that ends or happens at a moment. */
  withTime?: boolean
  /** A calendar day, not a moment: shown in UTC, so that every reader sees the same one. */
  isDay?: boolean
}

/** A date in the reader's language and zone, with the full moment as its title. */
export function DateText({ date, withTime = false, isDay = false }: Props) {
  const locale = useLocale()
  if (isDay) return <time dateTime={date.toISOString().slice(0, 10)}>{formatDate(locale, date, 'UTC')}</time>

  const moment = formatMoment(locale, date)
  return (
    <time dateTime={date.toISOString()} title={withTime ? undefined : moment}>
      {withTime ? moment : formatDate(locale, date)}
    </time>
  )
}
