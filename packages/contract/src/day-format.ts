/** A day as `Intl` words it, without the abbreviation that ends it in Russian: a sentence that ends with a day would have two periods. */
export function withoutYearMark(day: string): string {
  return day.replace(/\sг\.$/, '')
}

/** `Nov 22 – Dec 22, 2026`: from one day to another, the first one short if that is usual. A line ends after the dash, if at all. */
export function dayRange(format: Intl.DateTimeFormat, from: Date, to: Date): string {
  const range = format.formatRange(from, to)
  const end = format.format(to)
  // In Chinese, the days of a range are written otherwise than a day alone.
  const days = range.endsWith(end) ? range.split(/\s–\s/) : [format.format(from), end]
  return days.map((day) => withoutYearMark(day).replaceAll(' ', '\u00a0')).join('\u00a0– ')
}
