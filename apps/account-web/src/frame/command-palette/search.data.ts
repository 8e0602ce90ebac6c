import { type SearchHit, searchAccount } from '@atrium/contract/search.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Fewer characters find too much. */
export const fewestCharacters = 2

/** What was found before stays visible while more is typed. */
export const searchQuery = (keyWord: string) =>
  queryOptions({
    queryKey: ['search', keyWord],
    queryFn: ({ signal }) => call(searchAccount, { query: { keyWord } }, { signal }),
    enabled: keyWord.length >= fewestCharacters,
    placeholderData: keepPreviousData,
  })

/** Where a hit is shown: its list, searched for it. */
export function addressOf({ kind, id, place }: SearchHit): Record<string, string> {
  const addresses = {
    order: { tab: 'my-orders', keyWord: id },
    offline_order: { tab: 'my-orders', list: 'offline', keyWord: id },
    subscription: { tab: 'my-subscriptions', keywords: id },
    offline_subscription: { tab: 'my-subscriptions', list: 'offline' },
    license: { tab: 'license-management', sku: place, keyWord: id },
    email_device: { tab: 'device-management', keyWord: id },
    user: { tab: 'license-management', subId: place, user: id },
    key_device: { tab: 'device-management', method: 'keycode', code: place, keyWord: id },
  }
  return addresses[kind]
}
