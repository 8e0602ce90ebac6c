import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import type { ChangeResult } from '../../../outside/card-provider/change-results.ts'
import { type NextOperation, type Operation, operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'
import type { Change } from './stored-change.ts'

/** What is stored of a refund. */
const Difference = z.object({
  invoiceId: z.string(),
  /** In minor units of `currency`. */
  amount: z.int(),
  currency: z.string(),
  /** What other invoices have used of the customer's credit since then is not refunded. */
  quotedAt: z.coerce.date().optional(),
})
type Difference = z.output<typeof Difference>

/** Refunds what a change charged above what was shown; its order shows it, as the provider reports the refund. */
export const refundDifference = operation({
  kind: 'subscription.refund_difference',
  provider: 'card',
  input: Difference,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: Difference }) => ({
    is: 'new',
    subject: asked.invoiceId,
    input: asked,
  }),
  async call(deps, { id: operationId, input }) {
    await deps.cards.refundInvoice({ ...input, amount: await lost(deps, input), operationId })
    return { isDone: true }
  },
  async find(deps, { id: operationId, input }) {
    const amount = await lost(deps, input)
    return (await deps.cards.isRefunded({ ...input, amount, operationId })) ? { isDone: true } : undefined
  },
  apply: async () => ({ status: 'succeeded' }),
  // It is tried again, and logged as an error while it does not succeed.
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

/** A credit is spent once: where another invoice has used what was shown, the customer was charged as much less there. */
async function lost({ cards }: Deps, { invoiceId, amount, quotedAt }: Difference): Promise<number> {
  const elsewhere = quotedAt ? await cards.creditUsedElsewhere({ invoiceId, since: quotedAt }) : 0
  return Math.max(0, amount - elsewhere)
}

/** The vendor took back the customer's credit meanwhile, say: what was charged above what was shown is given back. */
export function chargedOver(
  { logger }: Deps,
  { id: operationId, subject, input }: Pick<Operation<Change>, 'id' | 'subject' | 'input'>,
  { charged, invoiceId, currency }: ChangeResult,
): NextOperation[] {
  const { chargeAmount: shown, prorationDate: quotedAt } = input
  if (charged === shown) return []
  logger.error({ operationId, invoiceId, charged, shown }, 'charged other than shown')
  if (charged < shown) return []
  const difference = { invoiceId, amount: charged - shown, currency, quotedAt }
  return [{ definition: refundDifference, plan: { subject, input: difference } }]
}
