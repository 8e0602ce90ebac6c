import type { ButtonType, MyProduct, ProductGroup } from '@atrium/contract/products.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Tone } from '@atrium/ui/notice.tsx'
import type { TrialOutcome } from '../../page/use-trial-outcome.ts'

/** What must be done, and not only can be. */
const urgent: readonly ButtonType[] = ['past_due', 'pay_now', 'waiting_to_pay', 'confirm_plan']

/** A tab of products: a product line, or its trials (001 §2). */
export interface ProductTab {
  key: string
  name: string
  isTrial: boolean
  items: readonly MyProduct[]
}

export function tabsOf(groups: readonly ProductGroup[]): ProductTab[] {
  return groups
    .flatMap(({ sku, skuName: name, subInfo, trialInfo }) => [
      { key: sku, name, isTrial: false, items: subInfo },
      { key: `${sku}:trial`, name, isTrial: true, items: trialInfo },
    ])
    .filter(({ items }) => items.length > 0)
}

/** All items: what needs attention first, what is over last, else in the vendor's order. */
export function byUrgency(items: readonly MyProduct[]): MyProduct[] {
  const rank = ({ showButtonType, showTimeType }: MyProduct) => {
    if (urgent.includes(showButtonType)) return 0
    return showTimeType === 'has_expired' ? 2 : 1
  }
  return items.toSorted((one, other) => rank(one) - rank(other))
}

/** Whether nothing of it can be used: the specification has a sentence for that (001 §8). */
export function hasNoneActive(items: readonly MyProduct[]): boolean {
  return items.every(({ showTimeType }) => showTimeType === 'has_expired')
}

/** What a card says about its state: the key of its text, and its color. */
export function stateOf(product: MyProduct) {
  const { showButtonType, showTimeType, showTime, remainDays, stripeSubscriptionId } = product
  if (showTimeType === 'begins_on') return { key: showTimeType, tone: 'info' } as const
  if (product.stripeSubscriptionStatus === 'pending') return { key: 'pending', tone: 'warning' } as const
  if (showTimeType === 'has_expired') {
    return {
      key: showTime === '' ? 'over' : 'has_expired',
      tone: showButtonType === 'past_due' ? 'bad' : 'off',
    } as const
  }
  if (showButtonType === 'past_due' || isOwnUnpaid(product)) return { key: 'access', tone: 'bad' } as const
  if (showTimeType === '') return { key: stripeSubscriptionId === '' ? 'perpetual' : 'noEnd', tone: 'good' } as const
  if (showTimeType === 'will_expire') return { key: 'will_expire', tone: 'info' } as const
  const isEnding = showTimeType === 'expire_on' && remainDays <= endingDays
  const tone: Tone = isEnding || waitingFor(showButtonType) ? 'warning' : 'good'
  return { key: showTimeType, tone } as const
}

/** What was bought through a partner is paid there, so it has no button for that. */
function isOwnUnpaid(product: MyProduct): boolean {
  return product.stripeSubscriptionStatus === 'past_due' && !isShared(product)
}

/** What of the Owner a running subscription waits for, beside its renewals; undefined: nothing. */
export function waitingFor(type: ButtonType): 'payment' | 'confirmation' | undefined {
  if (type === 'pay_now' || type === 'waiting_to_pay') return 'payment'
  return type === 'confirm_plan' ? 'confirmation' : undefined
}

/** An end so near is marked. */
const endingDays = 30

/** Where an address leads: a place of this page, or another site. */
export function placeOf(url: string, origin: string) {
  const parsed = new URL(url, origin)
  if (parsed.origin !== origin) return { is: 'outside', href: parsed.href } as const
  return { is: 'here', search: Object.fromEntries(parsed.searchParams) } as const
}

/** The cards, where one is added or made the default. */
export function cardsAddress(step: NonNullable<TrialOutcome['step']>): string {
  return `/account?tab=payment-option-management${step === 'addCard' ? '&dialog=add' : ''}`
}

type Labeled = Pick<MyProduct, 'showButtonType' | 'trial'>

/** The key of a button's label. A trial is not renewed: its auto-renewal is turned on. */
export function labelOf({ showButtonType, trial }: Labeled, cardStep: TrialOutcome['step']) {
  if (cardStep) return cardStep
  return trial && showButtonType === 'renew' ? 'turnOn' : showButtonType
}

/** How loud a button is: what must be done stands out, what can be done does not shout. */
export function looksOf(type: ButtonType) {
  if (type === 'past_due') return { variant: 'filled', color: 'bad' } as const
  return { variant: urgent.includes(type) ? 'filled' : 'default' } as const
}

export interface Integration {
  name: string
  /** The products that it works with. */
  products: readonly string[]
}

/** The integrations of what is shown, each once, with its products. */
export function integrationsOf(items: readonly MyProduct[]): Integration[] {
  const pairs = items.flatMap(({ appName, integrations }) => integrations.map(({ name }) => ({ name, appName })))
  return [...Map.groupBy(pairs, ({ name }) => name)].map(([name, all]) => ({
    name,
    products: [...new Set(all.map(({ appName }) => appName))],
  }))
}

export function isShared({ userType }: MyProduct): boolean {
  return userType !== seatTypes.owner
}
