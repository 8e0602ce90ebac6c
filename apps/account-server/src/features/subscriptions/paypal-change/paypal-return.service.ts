import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { paypalAddLicense } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { lookUpOperation } from '../../payments/operations/perform-operation.ts'
import { recordNow } from '../change-outcome.ts'
import { orUnavailable } from '../paypal-approvals.service.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { subscriptionOfProvider } from '../subscriptions.queries.ts'
import { changeByOrder } from './paypal-change.operations.ts'
import { lastOrder } from './paypal-change.service.ts'

/** PayPal's ids, which webhooks and approvals name. */
const paypalId = /^I-[A-Z0-9]{1,40}$/

/**
 * Applies what PayPal says of a subscription from whose approval the customer returns: of itself, or of the payment of a change.
 * @throws Problem `not_found`, also while it is not approved; `paypal_unavailable`
 */
export async function addPaypalLicense(
  deps: Deps,
  member: Member,
  id: string,
): Promise<EndpointAnswer<typeof paypalAddLicense>> {
  if (!paypalId.test(id) || deps.config.PAYPAL === 'none') throw new Problem('not_found')
  await finishChange(deps, member, await idHere(deps, member, id))
  await orUnavailable(() => syncPaypalSubscription(deps, id))
  const subscriptionId = await idHere(deps, member, id)
  const {
    stripeSubscriptionStatus: status,
    appName,
    paypalRenewConfirm,
  } = await recordNow(deps, member, subscriptionId)
  return { subscriptionId, status, appName, paypalRenewConfirm }
}

/** One that was imported has another id here than at PayPal. */
async function idHere({ db }: Deps, { id: memberId }: Member, providerId: string): Promise<string> {
  return (await subscriptionOfProvider(db, { providerId, memberId }))?.id ?? providerId
}

async function finishChange(deps: Deps, member: Member, sid: string): Promise<void> {
  const last = await lastOrder(deps, member, sid)
  if (!last || last.resolvedAt) return
  try {
    await lookUpOperation(deps, changeByOrder, last)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('paypal_unavailable', { retryAfter: 5, cause: error })
  }
}
