import type { CloudAccount } from '@atrium/contract/cloud.ts'
import { useLocale } from '@atrium/ui/locale.ts'

/** The name of a data region in the language of the page; none before one is chosen. */
export function useRegionName(): (region: CloudAccount['region']) => string {
  const names = new Intl.DisplayNames(useLocale(), { type: 'region' })
  return (region) => (region === '' ? '' : (names.of(region.toUpperCase()) ?? region))
}
