import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { BilledInvoice } from '../../../outside/billed-invoice.ts'
import type { ChangeResult } from '../../../outside/card-provider/plan-changes.ts'
import type { PayingCard } from '../../../outside/card-provider/plan-previews.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { customerIdOf } from '../../payments/customers/customers.queries.ts'
import { type AnyDefinition, type NextOperation, operation } from '../../payments/operations/definition.ts'
import { turnOffRenewal, turnOnRenewal } from '../auto-renewal/auto-renewal.operations.ts'
import { codes } from '../change-outcome.ts'
import { applyReadingIn, type Reading } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { readingOfCard } from '../provider-readings.ts'
import { quotableChange } from './change-quotes.service.ts'
import { type AskedChange, type ChangeQuoteRow, changeQuotes } from './change-quotes.tables.ts'
import { amountsOf, versionOf } from './plan-change.rules.ts'

const Item = z.object({ id: z.string().optional(), priceId: z.string(), quantity: z.int() })

/** What is stored of a change that is asked for. */
export const Change = z.object({
  providerId: z.string(),
  quoteId: z.string(),
  items: z.array(Item),
  prorationDate: z.coerce.date(),
  paymentMethodId: z.string().optional(),
  /** What is charged, as shown; minor units. */
  chargeAmount: z.int(),
})

interface Asked {
  sid: string
  quoteId: string
  asked: AskedChange
  /** Empty: the card that pays now. */
  paymentMethodId: string
}

interface Facts {
  /** The member's quote for this subscription; undefined: there is none. */
  quote: ChangeQuoteRow | undefined
  preview: { invoice: BilledInvoice; card: PayingCard | null } | undefined
}

/** What the provider answered, and the row that follows from it. */
interface Changed {
  result: ChangeResult
  reading: Reading
}

/** What is stored of a change that waits, or was made. */
export const ChangeOutcome = z.object({
  invoiceId: z.string().default(''),
  clientSecret: z.string().default(''),
  isOutdated: z.boolean().default(false),
})

/**
 * Changes what is subscribed to, and charges what its quote showed (money.md §4). The provider is asked again what it would charge;
 * any difference is refused before the charge. A payment that does not succeed changes nothing.
 */
export const changePlan = operation({
  kind: 'subscription.change',
  provider: 'card',
  input: Change,
  codes,
  excludes: changesOfSubscription,

  async read(deps, member, { sid, quoteId, paymentMethodId }: Asked): Promise<Facts> {
    const [quote] = await deps.db
      .select()
      .from(changeQuotes)
      .where(
        and(eq(changeQuotes.id, quoteId), eq(changeQuotes.memberId, member.id), eq(changeQuotes.subscriptionId, sid)),
      )
    if (!quote) return { quote, preview: undefined }
    await expectOnFile(deps, member, paymentMethodId)
    const { listed } = await quotableChange(deps.db, deps, member, { sid, asked: quote.asked })
    const { items, prorationDate } = quote
    const change = { id: listed.providerId ?? '', items, prorationDate }
    try {
      return { quote, preview: await deps.cards.previewChange(change) }
    } catch (error) {
      // The items are gone, say: the quote is of another state.
      if (error instanceof ProviderFailure && error.kind === 'invalid') return { quote, preview: undefined }
      throw error
    }
  },

  async decide(tx, { deps, member, asked, facts: { quote, preview } }) {
    const { listed } = await quotableChange(tx, deps, member, { sid: asked.sid, asked: asked.asked })
    if (!quote || !preview || !isAsShown(quote, preview.invoice, asked)) throw new Problem('quote_changed')
    if (quote.version !== versionOf(listed) || quote.validUntil <= deps.clock()) throw new Problem('quote_changed')
    if (asked.paymentMethodId === '' && preview.card === null && quote.shown.chargeAmount > 0) {
      throw new Problem('card_required')
    }
    const claimed = await tx
      .update(changeQuotes)
      .set({ operationId: quote.id })
      .where(and(eq(changeQuotes.id, quote.id), isNull(changeQuotes.operationId)))
      .returning({ id: changeQuotes.id })
    if (claimed.length === 0) throw new Problem('quote_changed')

    const providerId = listed.providerId ?? ''
    const isOther = asked.paymentMethodId !== '' && asked.paymentMethodId !== preview.card?.id
    const input = {
      ...{ providerId, quoteId: quote.id, items: [...quote.items], prorationDate: quote.prorationDate },
      ...{ chargeAmount: quote.shown.chargeAmount, ...(isOther && { paymentMethodId: asked.paymentMethodId }) },
    }
    return { is: 'new', subject: asked.sid, input, objectId: providerId }
  },

  async call(deps, { id: operationId, input }): Promise<Changed> {
    const { providerId: id, items, prorationDate, paymentMethodId } = input
    const syncNumber = await nextSyncNumber(deps.db)
    const result = await deps.cards.changePlan({ id, items, prorationDate, paymentMethodId, operationId })
    return { result, reading: await readingOfCard(deps, result.subscription, syncNumber) }
  },

  async find(deps, { id: operationId, input: { providerId: id } }): Promise<Changed | undefined> {
    const syncNumber = await nextSyncNumber(deps.db)
    const result = await deps.cards.readChange({ id, operationId })
    return result && { result, reading: await readingOfCard(deps, result.subscription, syncNumber) }
  },

  async apply(tx, { id, input, subject }, { deps, found: { result, reading } }) {
    const { state, invoiceId, clientSecret, expiresAt, sentence, charged } = result
    const applied = await applyReadingIn(tx, liveProjection(deps), reading)
    const stored = { invoiceId, clientSecret, isOutdated: applied === 'outdated' }
    if (state === 'paid') {
      if (charged !== input.chargeAmount) {
        deps.logger.error(
          { operationId: id, invoiceId, charged, shown: input.chargeAmount },
          'charged other than shown',
        )
      }
      return { status: 'succeeded', result: { ...stored, clientSecret: '' } }
    }
    if (state === 'requires_action') {
      return { status: 'requires_action', result: stored, ...(expiresAt && { givesUpAt: expiresAt }) }
    }
    const problem = { problem: 'card_refused', ...(sentence && { detail: sentence }) }
    return {
      status: 'failed',
      ...problem,
      result: { ...stored, clientSecret: '' },
      next: [givenUp(subject, invoiceId)],
    }
  },

  refuse({ kind, sentence }) {
    if (kind === 'unavailable') return { status: 'failed', problem: codes.unavailable }
    if (kind === 'refused') return { status: 'failed', problem: 'card_refused', ...(sentence && { detail: sentence }) }
    return { status: 'failed', problem: 'change_not_possible' }
  },

  async giveUp(deps, { input: { providerId }, result }): Promise<Changed> {
    const { invoiceId } = ChangeOutcome.parse(result)
    await deps.cards.giveUpChange(invoiceId)
    const syncNumber = await nextSyncNumber(deps.db)
    const subscription = await deps.cards.readSubscription(providerId)
    const declined = {
      state: 'declined',
      invoiceId,
      charged: 0,
      clientSecret: '',
      invoiceUrl: '',
      expiresAt: null,
    } as const
    return {
      result: { ...declined, subscription, sentence: '' },
      reading: await readingOfCard(deps, subscription, syncNumber),
    }
  },
})

/** They exclude each other: each decides from the subscription as it is. */
function changesOfSubscription(): readonly AnyDefinition[] {
  return [changePlan, turnOffRenewal, turnOnRenewal, giveUpChange]
}

/** The card is one of the member's, as the provider has them. */
async function expectOnFile(deps: Deps, member: { id: string }, paymentMethodId: string): Promise<void> {
  if (paymentMethodId === '') return
  const customerId = await customerIdOf(deps.db, member)
  const stored = customerId === undefined ? undefined : await deps.cards.cards(customerId)
  if (!stored?.cards.some(({ id }) => id === paymentMethodId)) throw new Problem('not_found')
}

/** Whether the provider still charges what was shown, for what is asked. */
function isAsShown(quote: ChangeQuoteRow, invoice: BilledInvoice, { asked }: Asked): boolean {
  const { type, increasingNumber, upgradeSelect } = quote.asked
  const isSame =
    type === asked.type && increasingNumber === asked.increasingNumber && upgradeSelect === asked.upgradeSelect
  const now = amountsOf(invoice)
  const { shown } = quote
  return (
    isSame &&
    now.chargeAmount === shown.chargeAmount &&
    now.subAmount === shown.subAmount &&
    now.taxAmount === shown.taxAmount &&
    now.currency === shown.currency
  )
}

function givenUp(subject: string, invoiceId: string): NextOperation {
  return { definition: giveUpChange, plan: { subject, input: { invoiceId }, objectId: invoiceId } }
}

/** Voids the open invoice of a change that was refused, so that nobody pays it later: the subscription stays as it was. */
export const giveUpChange = operation({
  kind: 'subscription.give_up_change',
  provider: 'card',
  input: z.object({ invoiceId: z.string() }),
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: { invoiceId: string } }) => ({
    is: 'new',
    subject: asked.invoiceId,
    input: asked,
  }),
  async call({ cards }, { input }) {
    await cards.giveUpChange(input.invoiceId)
    return { isDone: true }
  },
  async find({ cards }, { input }) {
    const { status } = await cards.readInvoice(input.invoiceId)
    return status === 'open' ? undefined : { isDone: true }
  },
  apply: async () => ({ status: 'succeeded' }),
  // It is paid or void already.
  refuse: () => ({ status: 'canceled' }),
})
