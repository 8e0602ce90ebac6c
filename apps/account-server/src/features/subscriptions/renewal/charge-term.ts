import type { Deps } from '../../../deps.ts'
import type { PrepaidPayment } from '../../../outside/card-provider/prepaid-invoices.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import type { Operation } from '../../payments/operations/definition.ts'
import { isInTimeForCall } from '../../payments/operations/operations.rules.ts'
import type { Renewal } from './renewal.input.ts'
import { takeBack } from './take-back.ts'

/** How the payment of a renewal stands. */
export interface Charged {
  payment: PrepaidPayment
  /** It would have charged something else than shown, and was taken back. */
  isOther?: boolean
  /** It was taken back unpaid, since a file has changed the subscription meanwhile. */
  isOutdated?: boolean
  /** The customer's time for the bank's question is up. */
  isAbandoned?: boolean
}

/**
 * Makes the invoice of a renewal at the provider, and pays it: four calls, and one for a coupon. What cannot be finished is taken back; if that fails too, or
 * an answer is lost, the reconciler does it.
 * @throws ProviderFailure
 */
export async function chargeTerm({ cards, wallClock }: Deps, row: Operation<Renewal>): Promise<Charged> {
  const { id: operationId, subject: subscriptionId, input } = row
  const term = { ...input, discount: input.discount }
  const invoiceId = await cards.createPrepaid({ ...term, operationId, subscriptionId })
  const step = { invoiceId, operationId }
  const expectInTime = () => {
    if (!isInTimeForCall(row, wallClock())) throw new ProviderFailure('unknown', new Error('too late'))
  }
  try {
    expectInTime()
    await cards.addPrepaidLines(step, term)
    expectInTime()
    await cards.addPrepaidDiscount(step, term)
    expectInTime()
    const { charged, isPaid } = await cards.finalizePrepaid(step)
    if (isPaid) return { payment: await cards.readPrepaid(invoiceId) }
    expectInTime()
    if (charged !== input.chargeAmount) return { payment: await takeBack(cards, invoiceId), isOther: true }
    return { payment: await cards.payPrepaid(step, input.paymentMethodId) }
  } catch (error) {
    throw error instanceof ProviderFailure ? await takenBack(cards, invoiceId, error) : error
  }
}

/** The failure to report: nothing was done only if the invoice could be taken back. */
async function takenBack(
  { discardPrepaid }: Deps['cards'],
  invoiceId: string,
  failure: ProviderFailure,
): Promise<ProviderFailure> {
  if (failure.kind === 'unknown') return failure
  const unknown = new ProviderFailure('unknown', failure)
  try {
    return (await discardPrepaid(invoiceId)).state === 'void' ? failure : unknown
  } catch (error) {
    if (error instanceof ProviderFailure) return unknown
    throw error
  }
}
