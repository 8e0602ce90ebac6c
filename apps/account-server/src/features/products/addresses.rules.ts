import { english, type LocaleCode, localeByCode, localePath } from '@atrium/contract/locale.ts'
import type { AccountConfig } from '../../config.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'
import { type ShopItem, shopQuery } from './shop-query.rules.ts'

export type Addresses = ReturnType<typeof addressesIn>

const withoutRoadmapPrefix: readonly LocaleCode[] = ['ru-ru', 'zh-tw', 'ja-jp']

interface Subject {
  id: string
  origin: 'online' | 'offline' | 'given'
}

/** Where the buttons of My Products lead, in a language: tabs and dialogs of the page, and the vendor's shop. */
export function addressesIn(
  config: Pick<AccountConfig, 'SITE_URL' | 'ADMIN_CONSOLE_URL' | 'LINK_HOSTS'>,
  lang: LocaleCode,
) {
  const locale = localeByCode(lang) ?? english
  const page = (search: Readonly<Record<string, string>>) =>
    `${localePath(locale, '/account')}?${new URLSearchParams(search)}`
  const shop = `${config.SITE_URL}${localePath(locale, '/shopping')}`

  return {
    /** A subscription's row, with everything that can be done about it. */
    subscription: ({ id, origin }: Subject) =>
      page({ tab: 'my-subscriptions', ...(origin === 'offline' ? { list: 'offline' } : { keywords: id }) }),
    dialog: (dialog: 'renew' | 'upgrade' | 'ordered', sid: string) => page({ tab: 'my-subscriptions', dialog, sid }),
    order: (keyWord: string) => page({ tab: 'my-orders', keyWord }),
    licenses: (sku: string) => page({ tab: 'license-management', sku }),
    /** The users of a subscription (001 §2, License Management). */
    team: (subId: string) => page({ tab: 'license-management', subId }),
    /** A request to sales, for what was agreed with them. */
    renewalQuote: ({ id, productCode, userCount }: Subject & { productCode: string; userCount: number }) =>
      page({
        ...{ tab: 'my-products', list: 'offline', quote: 'renewal' },
        ...{ quoteProduct: productCode, quoteSeats: String(userCount), quoteOf: id },
      }),
    /** View Roadmap has no prefix in some languages (001 §2): there the language cookie decides. */
    roadmap: () => localePath(withoutRoadmapPrefix.includes(lang) ? english : locale, '/account/roadmap.html'),
    shop: () => shop,
    /** The shop's page of a product; what is not sold in the shop leads to its first page. */
    shopFor: (item: ShopItem) => {
      const query = shopQuery(item)
      return query ? `${shop}/checkout/?${query}` : shop
    },
    /** The enterprise's admin console, or the vendor's for products that have one; '' if none can be reached. */
    console: ({ consoleUrl, hasConsole }: { consoleUrl: string | null; hasConsole: boolean }) =>
      allowedLink(consoleUrl ?? '', config.LINK_HOSTS) || (hasConsole ? config.ADMIN_CONSOLE_URL : ''),
  }
}
