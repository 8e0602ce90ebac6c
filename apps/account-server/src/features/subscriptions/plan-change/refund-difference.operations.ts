import { z } from 'zod'
import { operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'

/** What is stored of a refund. */
const Difference = z.object({
  invoiceId: z.string(),
  /** In minor units of `currency`. */
  amount: z.int(),
  currency: z.string(),
})

/** Refunds what a change charged above what was shown (money.md §4); its order shows it, as the provider reports the refund. */
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
  async find({ cards }, { id: operationId, input: { invoiceId } }) {
    return (await cards.isRefunded({ invoiceId, operationId })) ? { isDone: true } : undefined
  },
  apply: async () => ({ status: 'succeeded' }),
  // It is tried again, and logged as an error while it does not succeed.
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})
