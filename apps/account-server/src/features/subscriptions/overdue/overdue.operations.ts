import * as contract from '@atrium/contract/overdue-payments.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import type { OverdueInvoice, OverduePayment } from '../../../outside/card-provider/overdue-invoices.ts'
import { declined } from '../../payments/declines.rules.ts'
import { type Operation, operation } from '../../payments/operations/definition.ts'
import { openOperationOn } from '../../payments/operations/operations.queries.ts'
import { isFresh } from '../../payments/operations/operations.rules.ts'
import { codes } from '../change-outcome.ts'
import { expectOnFile, mayBeCharged } from '../paying-card.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { afterChange, readingOfCard } from '../provider-readings.ts'
import { readAtProvider } from '../read-at-provider.ts'
import { readResumed } from '../read-resumed.ts'
import type { Reading } from '../reading.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { accessNow } from '../subscriptions.rules.ts'

/** What is stored of a payment of what is overdue. */
export const Overdue = z.object({
  providerId: z.string(),
  invoiceIds: z.array(z.string()),
  /** Of each invoice, in minor units. */
  amounts: z.array(z.int()).default([]),
  paymentMethodId: z.string(),
  /** In minor units. */
  amount: z.int(),
  currency: z.string(),
})
type Overdue = z.infer<typeof Overdue>

/** What is stored of a payment that waits, or was made. */
export const OverdueOutcome = z.object({
  clientSecret: z.string().default(''),
  /** How many of the invoices are paid; fewer than all of an operation that succeeded are left to the next one. */
  paidCount: z.int().default(0),
})

interface Asked {
  sid: string
  /** As the customer saw it. */
  amount: number
  currency: string
  /** Empty: the card that pays for the subscription. */
  paymentMethodId: string
}

/** How the payment stands, and the row that follows. `isAbandoned`: the customer's time for the bank's question is up. */
interface Paid {
  payment: OverduePayment
  reading: Reading
  isAbandoned?: boolean
}

/** Milliseconds that the customer has for the bank's question. The invoice stays open afterwards, and can be paid again. */
const answerMs = 60 * 60 * 1000

/** Pays the open invoices of a subscription whose payment failed. */
export const payOverdue = operation({
  kind: 'subscription.pay',
  provider: 'card',
  input: Overdue,
  codes,

  async read(deps, member, { sid, amount, paymentMethodId }: Asked): Promise<OverdueInvoice[]> {
    const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
    const isDue = listed?.channel === 'card' && listed.currentStatus === 'past_due' && listed.providerId !== null
    await expectOnFile(deps, member, { paid: listed ?? { customerId: null }, paymentMethodId })
    if (isDue && paymentMethodId === '' && !(await mayBeCharged(deps, member, listed)))
      throw new Problem('card_required')
    if (!isDue) return []
    const isOwner = listed.role === seatTypes.owner && !listed.isPriceHidden
    const invoices = await invoicesToPay(deps, listed.providerId ?? '', isOwner ? amount : undefined)
    // The row says otherwise.
    if (sumOf(invoices) !== amount) await readAtProvider(deps, listed)
    return invoices
  },

  async decide(tx, { deps, member, asked, facts: invoices }) {
    const listed = await subscriptionOfMember(tx, member, { id: asked.sid, access: accessNow(deps) })
    if (!listed) throw new Problem('not_found')
    if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
    if (listed.isPriceHidden) throw new Problem('bought_through_partner')
    const { providerId } = listed
    const open = providerId === null ? undefined : await openOperationOn(tx, providerId)
    if (open) {
      // A second click, or the bank's question once more.
      if (open.kind === 'subscription.pay') return { is: 'same', operationId: open.id }
      throw new Problem(codes.excluded, { retryAfter: 5 })
    }
    const [first] = invoices
    if (listed.currentStatus !== 'past_due' || providerId === null || !first) throw new Problem('nothing_due')
    const { currency } = first
    const amount = sumOf(invoices)
    if (amount !== asked.amount || currency !== asked.currency) {
      throw problemWithData(contract.payOverdue, 'amount_changed', { amount, currency })
    }
    const { sid: subject, paymentMethodId } = asked
    const input = {
      ...{ providerId, paymentMethodId, amount, currency },
      invoiceIds: invoices.map(({ id }) => id),
      amounts: invoices.map((invoice) => invoice.amount),
    }
    return { is: 'new', subject, input, objectId: providerId }
  },

  async call(deps, { id: operationId, input }): Promise<Paid> {
    const { providerId: subscriptionId, invoiceIds, paymentMethodId } = input
    const payment = await deps.cards.payInvoices({ subscriptionId, invoiceIds, paymentMethodId, operationId })
    return { payment, reading: await readNow(deps, input) }
  },

  async find(deps, row): Promise<Paid | undefined> {
    const { input, status, result } = row
    const payment = await deps.cards.readPayment(input.invoiceIds)
    const reading = await readNow(deps, input)
    if (payment.state !== 'declined') return { payment, reading }
    // The bank's question was answered with yes, or the request has ended between two invoices: the rest was not tried.
    const isFurther = payment.paidCount > OverdueOutcome.parse(result).paidCount
    const isOver = status === 'requires_action' || !isFresh(row, deps.wallClock())
    if (isFurther && isOver) return { payment: { ...payment, state: 'paid' }, reading }
    // After the bank's question there is none any more: it was answered with no.
    return status === 'requires_action' ? { payment, reading } : undefined
  },

  async apply(tx, _operation, { deps, found: { payment, reading, isAbandoned = false }, now }) {
    await applyReadingIn(tx, liveProjection(deps), reading)
    const { state, paidCount, clientSecret } = payment
    const result = { clientSecret: '', paidCount }
    if (state === 'paid') return { status: 'succeeded', result }
    if (isAbandoned) return { status: 'canceled', result }
    if (state === 'requires_action') {
      const givesUpAt = new Date(now.getTime() + answerMs)
      return { status: 'requires_action', result: { ...result, clientSecret }, givesUpAt }
    }
    return { ...declined(payment), result }
  },

  refuse(failure) {
    if (failure.kind === 'unavailable') return { status: 'failed', problem: codes.unavailable }
    if (failure.kind === 'refused') return declined(failure)
    return { status: 'failed', problem: 'nothing_due' }
  },

  async giveUp(deps, { input }): Promise<Paid> {
    const payment = await deps.cards.readPayment(input.invoiceIds)
    return { payment, reading: await readNow(deps, input), isAbandoned: true }
  },
})

/** What is owed. A draft is finalized once the customer has confirmed the sum of all: `amount`. */
async function invoicesToPay(deps: Deps, providerId: string, amount?: number): Promise<OverdueInvoice[]> {
  const invoices = await deps.cards.overdueInvoices(providerId)
  if (sumOf(invoices) !== amount || !invoices.some(({ isDraft }) => isDraft)) return invoices
  await deps.cards.finalizeOverdue(providerId)
  return deps.cards.overdueInvoices(providerId)
}

function sumOf(invoices: readonly OverdueInvoice[]): number {
  return invoices.reduce((sum, { amount }) => sum + amount, 0)
}

async function readNow(deps: Deps, { providerId }: Operation<Overdue>['input']): Promise<Reading> {
  const read = async () => {
    const { billed, syncNumber } = await readResumed(deps, providerId)
    return readingOfCard(deps, billed, syncNumber)
  }
  return afterChange(read())
}
