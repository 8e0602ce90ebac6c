import { z } from 'zod'
import { operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'

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
