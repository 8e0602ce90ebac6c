import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { ifKnown, ProviderFailure } from '../../../outside/provider-failure.ts'
import { operation } from '../../payments/operations/definition.ts'
import { codes } from '../change-outcome.ts'

/** A subscription's id at PayPal. */
const Ended = z.object({ providerId: z.string() })
type Ended = z.infer<typeof Ended>

/**
 * Cancels at PayPal what was suspended, once its paid time has ended: its payer is not left with an
 * agreement that could be billed again. Nothing of ours follows from it.
 */
export const cancelAtPaypal = operation({
  kind: 'subscription.cancel_at_paypal',
  provider: 'paypal',
  input: Ended,
  codes,
  read: async () => undefined,
  decide: async (_tx, { asked }: { asked: Ended }) => ({ is: 'new', subject: asked.providerId, input: asked }),
  async call(deps, { input: { providerId: id } }) {
    // PayPal refuses to cancel what its payer, or the vendor, has canceled.
    if (await isOver(deps, id)) return 'canceled'
    await deps.paypal.cancelSubscription({ id, reason: 'The paid time has ended' })
    if (!(await isOver(deps, id))) throw new ProviderFailure('unknown', new Error('PayPal has not canceled it'))
    return 'canceled'
  },
  find: async (deps, { input: { providerId } }) => ((await isOver(deps, providerId)) ? 'canceled' : undefined),
  apply: async () => ({ status: 'succeeded' }),
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

/** Whether it cannot be billed again; one that PayPal does not know cannot. */
async function isOver(deps: Deps, id: string): Promise<boolean> {
  const given = await ifKnown(deps.paypal.readSubscription(id))
  return given === undefined || given.status === 'CANCELLED' || given.status === 'EXPIRED'
}
