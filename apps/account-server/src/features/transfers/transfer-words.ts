import { brandName } from '@atrium/contract/card-brands.ts'
import { english, localeByCode } from '@atrium/contract/locale.ts'
import type { Fate, Moving } from '@atrium/contract/transfers.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { typedText } from '@atrium/server-kit/email-html.ts'
import { formatAmount, formatDay } from '@atrium/server-kit/formats.ts'
import { memberName } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'
import { expectedFate, fateOf } from './transfers.rules.ts'
import type { Offer, OfferedSubscription } from './transfers.tables.ts'

export type Person = Pick<typeof members.$inferSelect, 'firstName' | 'lastName' | 'email' | 'locale'>

export type Facts = readonly (readonly [name: string, value: string])[]

/** What is said of a transfer in a person's language. Days are those of UTC, the same for every reader. */
export function transferWords(person: Person) {
  const locale = localeByCode(person.locale) ?? english
  const t = serverTexts(locale.folder, 'transfer-mail')
  /** The words of the page, so that both say the same. */
  const pageText = serverTexts(locale.folder, 'transfers')
  const listText = serverTexts(locale.folder, 'subscriptions')
  const day = (instant: string) => formatDay(locale.code, new Date(instant))

  /** @param isOpen whether a card can still be added before the codes are used */
  function term(offered: OfferedSubscription, offer: Offer, isOpen: boolean): string {
    const { until, charge, renewal, commitment, otherCurrency } = offered
    const { card } = offer
    if (until === '') return t('endless')
    if (otherCurrency) return t(...whyNotBilled(offer, { date: day(until), currency: otherCurrency.currency }))
    if (renewal) {
      const values = { date: day(until), amount: formatAmount(locale.code, renewal) }
      if (renewal.needsOnlyCard && isOpen) return `${t('endsWithoutCard', values)}${commitmentOf(offered)}`
      return commitment ? t('ends', values) : t('endsUnlessResumed', values)
    }
    if (!charge || !card) return t('ends', { date: day(until) })
    const number = `${brandName(card.brand) ?? t('card')} ••••\u00a0${card.last4}`
    const charged = t('charge', { date: day(until), amount: formatAmount(locale.code, charge), card: number })
    return `${charged}${commitmentOf(offered)}`
  }

  /** A line of its own: until when who goes on with it is bound. */
  function commitmentOf({ commitment }: OfferedSubscription): string {
    if (!commitment) return ''
    return `\n${t(commitment.ends ? 'committedThenEnds' : 'committed', { date: day(commitment.until) })}`
  }

  /** Whom the card provider has not billed yet pays in no currency: that of what else moves is the reason. */
  function whyNotBilled({ currency, subscriptions }: Offer, values: { date: string; currency: string }) {
    const [goingOn] = subscriptions.flatMap((one) => one.charge ?? one.renewal ?? [])
    return currency === undefined && goingOn
      ? (['otherThanMoving', { ...values, other: goingOn.currency }] as const)
      : (['otherCurrency', values] as const)
  }

  function sizeOf({ userCount, storageCapacity, connectors }: OfferedSubscription): string {
    const main =
      storageCapacity > 0 ? listText('storage', { count: storageCapacity }) : t('seats', { count: userCount })
    return connectors > 0 ? `${main} · ${listText('connectors', { count: connectors })}` : main
  }

  /** An add-on ends and resumes with what it belongs to; a trial ends, and is paid from then on. */
  function detailOf({ parentName, isTrial }: OfferedSubscription, size: string): string {
    const trial = isTrial ? [listText('statuses.trialing')] : []
    const addOn = parentName === '' ? [] : [listText('addOn', { product: parentName })]
    return [size, ...trial, ...addOn].join(' · ')
  }

  function billedSize(offered: OfferedSubscription): string {
    const { term, charge, renewal } = offered
    return (charge ?? renewal) && term ? `${sizeOf(offered)} · ${listText(`terms.${term}`)}` : sizeOf(offered)
  }

  const lines = (
    subscriptions: Offer['subscriptions'],
    fateOfOne: (one: OfferedSubscription) => Moving['fate'] | Fate,
  ) =>
    subscriptions.map((one): Facts[number] => {
      const fate = pageText(`fate.${fateOfOne(one)}`, { date: one.until === '' ? '' : day(one.until) })
      return [one.productName, `${detailOf(one, sizeOf(one))}\n${fate}`]
    })

  return {
    locale,
    nameOf: (other: Person) => typedText(memberName(locale.code, other)) || other.email,
    /** What will become of each, as far as the one whom it moves from may know. */
    expected: ({ subscriptions }: Offer): Facts => lines(subscriptions, expectedFate),
    /** What becomes of each, for whom it moves from. */
    fates: ({ subscriptions }: Offer): Facts => lines(subscriptions, fateOf),
    /** What becomes of each, and costs, for whom it moves to. */
    terms: (offer: Offer, { isOpen }: { isOpen: boolean }): Facts =>
      offer.subscriptions.map((one) => [
        one.productName,
        `${detailOf(one, billedSize(one))}\n${term(one, offer, isOpen)}`,
      ]),
  }
}
