import type { MyProduct, ProductGroup } from '@atrium/contract/products.ts'
import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import type { AccountConfig } from '../../config.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'
import type { Addresses } from './addresses.rules.ts'
import { at, isOver, isTrial, licenseStep, nextStep, renewableDays, runningTrial, timeOf } from './next-step.rules.ts'
import type { LicensedRow } from './own-licenses.queries.ts'
import type { ProductRow } from './products.queries.ts'

export interface ItemView {
  now: Date
  maySell: boolean
  addresses: Addresses
  hosts: Pick<AccountConfig, 'DOWNLOAD_HOSTS' | 'LINK_HOSTS'>
  /** Whether the vendor has a cloud service in any region. */
  hasCloud: boolean
}

/** A subscription as an item of My Products (001 §3). */
export function itemOfSubscription(row: ProductRow, view: ItemView): MyProduct {
  const { now, maySell, addresses } = view
  const role = row.role ?? seatTypes.member
  // An Owner without a seat uses what they own; one who gave the license up does not.
  const hasLicense = row.isUse ?? true
  const isUsable = hasLicense && !isOver(row, now) && row.currentStatus !== 'pending'
  const trial = runningTrial(row, role)
  return {
    stripeSubscriptionId: row.id,
    stripeSubscriptionStatus: row.currentStatus,
    ...catalogFacts(row, { role, isUsable, view }),
    isTrial: isTrial(row) ? 1 : 0,
    ...(trial && { trial }),
    hasLicense: hasLicense ? 1 : 0,
    ...timeOf(row, now),
    ...nextStep({ row, role, now, maySell }, addresses),
  }
}

/** Licenses of a product that were bought outright, as one item. */
export function itemOfLicenses(row: LicensedRow, view: ItemView): MyProduct {
  const fixed = at(row.isValid ? 'expire_on' : 'has_expired', row.end, view.now)
  const time = row.isPerpetual ? at('', null, view.now) : fixed
  const isEnding = !row.isPerpetual && time.remainDays <= renewableDays
  return {
    stripeSubscriptionId: '',
    stripeSubscriptionStatus: '',
    ...catalogFacts(row, { role: seatTypes.owner, isUsable: row.isValid, view }),
    isTrial: 0,
    hasLicense: 1,
    ...time,
    ...licenseStep({ row, isEnding, maySell: view.maySell }, view.addresses),
  }
}

interface Use {
  role: SeatType
  /** Whether the member may use the product now. */
  isUsable: boolean
  view: ItemView
}

function catalogFacts(
  { productCode, product }: Pick<LicensedRow, 'productCode' | 'product'>,
  { role, isUsable, view }: Use,
) {
  return {
    appCode: productCode,
    appName: product.name,
    appIcon: product.icon,
    userType: role,
    isMsp: product.flags.includes('msp') ? 1 : 0,
    roadmapUrl: product.flags.includes('roadmap') ? view.addresses.roadmap() : '',
    productList: isUsable ? linksOf(productCode, product, view) : [],
    integrations: isUsable ? product.integrations.map(({ name }) => ({ name })) : [],
  } as const
}

/** Downloads for each platform, and where the product is opened in the browser; other hosts' addresses are left out. */
function linksOf(appId: string, product: LicensedRow['product'], { hosts, hasCloud }: ItemView) {
  const { name, downloads, flags } = product
  const isCloud = hasCloud && flags.includes('cloud')
  const url = isCloud ? '' : allowedLink(product.launchUrl, hosts.LINK_HOSTS)
  const opened = { platform: 'Web', url, type: isCloud ? ('cloud' as const) : ('launch' as const) }
  const files = downloads.map(({ platform, url }) => ({
    platform,
    url: allowedLink(url, hosts.DOWNLOAD_HOSTS),
    type: 'download' as const,
  }))
  return [opened, ...files]
    .filter(({ type, url }) => type === 'cloud' || url !== '')
    .map((link, place) => ({ appId, name, key: `${appId}-${place}`, ...link }))
}

interface Placed {
  product: Pick<LicensedRow['product'], 'sku' | 'skuName' | 'name' | 'position'>
  item: MyProduct
}

/** Items by product line, in the vendor's order; within one, as they come. */
export function grouped(placed: readonly Placed[]): ProductGroup[] {
  const bySku = Map.groupBy(placed, ({ product }) => product.sku)
  return [...bySku]
    .map(([sku, line]) => {
      const [first] = line.toSorted((one, other) => one.product.position - other.product.position)
      const items = line.map(({ item }) => item)
      return {
        position: first?.product.position ?? 0,
        sku,
        skuName: first?.product.skuName || first?.product.name || sku,
        subInfo: items.filter(({ isTrial }) => isTrial === 0),
        trialInfo: items.filter(({ isTrial }) => isTrial === 1),
      }
    })
    .toSorted((one, other) => one.position - other.position)
    .map(({ position: _, ...group }) => group)
}
