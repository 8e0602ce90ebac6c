import { type ListRange, listRanges, yearOf } from '@atrium/contract/range.ts'
import { useTranslation } from 'react-i18next'

/** The calendar years that are offered, this one first. */
export function offeredYears(): number[] {
  const thisYear = new Date().getUTCFullYear()
  return Array.from({ length: 6 }, (_, back) => thisYear - back)
}

/** The ranges of a date filter: how far back, then calendar years, and the chosen one if it is another year. */
export function useRangeOptions(chosen: ListRange | undefined): { value: string; label: string }[] {
  const { t } = useTranslation('common')
  const years = offeredYears()
  const [thisYear, lastYear] = years
  const chosenYear = yearOf(chosen)
  if (chosenYear !== undefined && !years.includes(chosenYear)) years.push(chosenYear)

  const nameOf = (year: number) => {
    if (year === thisYear) return t('filters.ranges.thisYear')
    return year === lastYear ? t('filters.ranges.lastYear') : String(year)
  }
  return [
    ...listRanges.map((range) => ({ value: range, label: t(`filters.ranges.${range}`) })),
    ...years.map((year) => ({ value: String(year), label: nameOf(year) })),
  ]
}
