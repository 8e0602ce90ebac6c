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
})

/** Refunds what a change charged above what was shown; its order shows it, as the provider reports the refund. */
export const refundDifference = operation({
  kind: 'subscription.refund_difference',
  provider: 'card',
  input: Difference,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: z.output<typeof Difference> }) => ({
    is: 'new',
    subject: asked.invoiceId,
    input: asked,
  }),
  async call({ cards }, { id: operationId, input }) {
    await cards.refundInvoice({ ...input, operationId })
    return { isDone: true }
  },
  async find({ cards }, { id: operationId, input: { invoiceId, amount } }) {
    return (await cards.isRefunded({ invoiceId, amount, operationId })) ? { isDone: true } : undefined
  },
  apply: async () => ({ status: 'succeeded' }),
  // It is tried again, and logged as an error while it does not succeed.
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

/** The customer's credit went to another invoice meanwhile, say: what was charged above what was shown is given back. */
export function chargedOver(
  { logger }: Deps,
  { id: operationId, subject, input }: Pick<Operation<Change>, 'id' | 'subject' | 'input'>,
  { charged, invoiceId, currency }: ChangeResult,
): NextOperation[] {
  const { chargeAmount: shown } = input
  if (charged === shown) return []
  logger.error({ operationId, invoiceId, charged, shown }, 'charged other than shown')
  if (charged < shown) return []
  return [{ definition: refundDifference, plan: { subject, input: { invoiceId, amount: charged - shown, currency } } }]
}
