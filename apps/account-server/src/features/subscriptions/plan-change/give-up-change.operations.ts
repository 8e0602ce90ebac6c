import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { type NextOperation, type Operation, operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'
import type { Change } from './stored-change.ts'

/** The card that pays again for a subscription. */
const CardBefore = z.object({
  /** At the provider. */
  subscriptionId: z.string(),
  /** Empty: the customer's default. */
  card: z.string(),
  /** The one that was to pay for the change. Operations that were stored without it change nothing. */
  instead: z.string().default(''),
})

/** What is stored of a change that is given up. */
export const GivenUp = z.object({
  invoiceId: z.string(),
  /** Of the change; not known of one that was begun at the provider. */
  prorationDate: z.coerce.date().optional(),
  /** Which card pays again, if another one was to pay for the change. */
  restored: CardBefore.optional(),
})

/** Voids the open invoice of a change that was refused, or begun at the provider: nobody pays it later, and the subscription stays as it was. */
export const giveUpChange = operation({
  kind: 'subscription.give_up_change',
  provider: 'card',
  input: GivenUp,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked: { sid, invoiceId } }: { asked: { sid: string; invoiceId: string } }) => ({
    is: 'new',
    subject: sid,
    input: { invoiceId },
    objectId: invoiceId,
  }),
  async call({ cards }, { input }) {
    await giveUp(cards, input)
    return { isDone: true }
  },
  async find({ cards }, { input }) {
    const { status } = await cards.readInvoice(input.invoiceId)
    if (status === 'open') return undefined
    await giveUp(cards, input)
    return { isDone: true }
  },
  apply: async () => ({ status: 'succeeded' }),
  // It is paid or void already.
  refuse: () => ({ status: 'canceled' }),
})

/** Voids the invoice of a change that was refused. */
export function voiding(
  { subject, input }: Pick<Operation<Change>, 'subject' | 'input'>,
  invoiceId: string,
): NextOperation {
  const { prorationDate } = input
  return {
    definition: giveUpChange,
    plan: { subject, input: { invoiceId, prorationDate, ...cardBefore(input) }, objectId: invoiceId },
  }
}

/** Which card pays again, if another one was to pay for a change that is not made. */
export function cardBefore({ providerId: subscriptionId, paymentMethodId: instead, ownCard: card }: Change) {
  return instead === undefined ? {} : { restored: { subscriptionId, card, instead } }
}

async function giveUp(cards: Deps['cards'], { invoiceId, prorationDate, ...input }: z.output<typeof GivenUp>) {
  await cards.giveUpChange({ invoiceId, prorationDate })
  await restoreCard(cards, input)
}

/** The card of before pays again, unless another one was chosen since the change. */
export async function restoreCard(
  cards: Deps['cards'],
  { restored }: Partial<z.output<typeof GivenUp>>,
): Promise<void> {
  if (!restored) return
  const { subscriptionId: subscription, card: to, instead: from } = restored
  await cards.restoreCard({ subscription, from, to })
}
