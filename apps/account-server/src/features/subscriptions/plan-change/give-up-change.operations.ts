import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'

/** What is stored of a change that is given up. */
export const GivenUp = z.object({
  invoiceId: z.string(),
  /** The card that pays again instead of the one that was to pay for the change; empty: the customer's default. */
  restored: z.object({ subscriptionId: z.string(), card: z.string() }).optional(),
})

/** Voids the open invoice of a change that was refused, so that nobody pays it later: the subscription stays as it was. */
export const giveUpChange = operation({
  kind: 'subscription.give_up_change',
  provider: 'card',
  input: GivenUp,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: z.output<typeof GivenUp> }) => ({
    is: 'new',
    subject: asked.invoiceId,
    input: asked,
  }),
  async call({ cards }, { input }) {
    await cards.giveUpChange(input.invoiceId)
    await restoreCard(cards, input)
    return { isDone: true }
  },
  async find({ cards }, { input }) {
    const { status } = await cards.readInvoice(input.invoiceId)
    if (status === 'open') return undefined
    await restoreCard(cards, input)
    return { isDone: true }
  },
  apply: async () => ({ status: 'succeeded' }),
  // It is paid or void already.
  refuse: () => ({ status: 'canceled' }),
})

async function restoreCard(cards: Deps['cards'], { restored }: z.output<typeof GivenUp>): Promise<void> {
  if (restored) await cards.restoreCard(restored.subscriptionId, restored.card)
}
