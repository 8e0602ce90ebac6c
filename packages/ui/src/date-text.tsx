import { formatDate, formatMoment } from './date-format.ts'
import { useLocale } from './locale.ts'

interface Props {
  date: Date
  /** With the time of day and its zone, for something that ends or happens at a moment. */
  withTime?: boolean
}

/** A date in the reader's language and zone; the whole moment stands in its title. */
export function DateText({ date, withTime = false }: Props) {
  const locale = useLocale()
  const moment = formatMoment(locale, date)

  return (
    <time dateTime={date.toISOString()} title={withTime ? undefined : moment}>
      {withTime ? moment : formatDate(locale, date)}
    </time>
  )
}
