import type { DictionaryType } from '@atrium/contract/dictionaries.ts'
import { locales } from '@atrium/contract/locale.ts'
import { cancelReasons, licenseStatuses, orderStatuses, roadmapStatuses, subscriptionStatuses } from './names.ts'
import type { FolioRecord } from './record.ts'
import { quarterFrom } from './roadmap.ts'

export function* dictionaryRecords(today: Date): Generator<FolioRecord> {
  yield* dictionary('order-status', orderStatuses)
  yield* dictionary('license-status', licenseStatuses)
  yield* dictionary('subscription-status', subscriptionStatuses)
  yield* dictionary('cancel-reason', cancelReasons)
  yield* dictionary('roadmap-status', roadmapStatuses)
  yield* dictionary('plan-cycle', planCycles(today))
}

/** Names stand in the order of `locales`. */
function* dictionary(type: DictionaryType, entries: Readonly<Record<string, string>>): Generator<FolioRecord> {
  const codes = Object.keys(entries)
  for (const code of codes) {
    const names = (entries[code] ?? '').split(' | ')
    yield {
      type: 'dictionary',
      dictionary: type,
      code,
      position: codes.indexOf(code),
      names: Object.fromEntries(locales.map((locale, index) => [locale.code, names[index] ?? ''])),
    }
  }
}

/** The quarter before, the current one and the three to come. */
function planCycles(today: Date): Record<string, string> {
  const quarters = [-1, 0, 1, 2, 3].map((step) => quarterFrom(today, step))
  return Object.fromEntries(
    quarters.map((code) => {
      const [year = '', quarter = ''] = code.split('-Q')
      return [code, quarterNames(Number(year), Number(quarter))]
    }),
  )
}

function quarterNames(year: number, quarter: number): string {
  return [
    `Q${quarter} ${year}`,
    `${quarter}. Quartal ${year}`,
    `${quarter}.º trimestre de ${year}`,
    `T${quarter} ${year}`,
    `${quarter}° trimestre ${year}`,
    `${year}年第${quarter}四半期`,
    `${quarter}e kwartaal ${year}`,
    `${quarter}º trimestre de ${year}`,
    `${quarter}-й квартал ${year} г.`,
    `${year} 年第 ${quarter} 季`,
  ].join(' | ')
}
