import { type ListRange, listRanges, yearOf } from '@atrium/contract/range.ts'
import { useTranslation } from 'react-i18next'

/** Calendar years offered, this one included. */
const offeredYears = 6

/** The ranges of a date filter: how far back, then calendar years, and the chosen one if it is another year. */
export function useRangeOptions(chosen: ListRange | undefined): { value: string; label: string }[] {
  const { t } = useTranslation('common')
  const thisYear = new Date().getUTCFullYear()
  const years = Array.from({ length: offeredYears }, (_, back) => thisYear - back)
  const chosenYear = yearOf(chosen)
  if (chosenYear !== undefined && !years.includes(chosenYear)) years.push(chosenYear)

  const nameOf = (year: number) => {
    if (year === thisYear) return t('filters.ranges.thisYear')
    return year === thisYear - 1 ? t('filters.ranges.lastYear') : String(year)
  }
  return [
    ...listRanges.map((range) => ({ value: range, label: t(`filters.ranges.${range}`) })),
    ...years.map((year) => ({ value: String(year), label: nameOf(year) })),
  ]
}
