/** A day as `Intl` words it, without the abbreviation that ends it in Russian: a sentence that ends with a day would have two periods. */
export function withoutYearMark(day: string): string {
  return day.replace(/\sг\.$/, '')
}
