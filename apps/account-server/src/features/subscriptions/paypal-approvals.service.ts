import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { openApproval } from './open-approval.writes.ts'
import { isConfirmable } from './subscription-flags.rules.ts'
import { subscriptionOfMember } from './subscription-list.queries.ts'
import { accessNow } from './subscriptions.rules.ts'

/**
 * The address at which the Owner confirms at PayPal what was changed here: the plan and quantity from the next cycle on. Nothing changes
 * until the customer confirms. The address that is open is given again, in every tab: at PayPal, another one may end it.
 * @throws Problem `not_found`, `not_owner`, `nothing_to_confirm`, `paypal_unavailable`; `plan_price_changed` if PayPal does not sell the
 *   plan any more
 */
export async function approvalOfRenewal(deps: Deps, member: Member, sid: string): Promise<{ approveLink: string }> {
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access: accessNow(deps) })
  if (!listed) throw new Problem('not_found')
  if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
  const { providerId, pendingPlanId: planId, pendingQuantity, userCount } = listed
  const isOpen = listed.currentStatus === 'active' && isConfirmable(listed)
  if (!isOpen || providerId === null || planId === null) throw new Problem('nothing_to_confirm')

  const returnUrl = new URL('/account', deps.config.PUBLIC_URL)
  returnUrl.search = String(
    new URLSearchParams({ tab: 'my-subscriptions', stripe_subscription_id: providerId, discount_biz_type: 'renew' }),
  )
  const asked = { id: providerId, planId, quantity: pendingQuantity ?? userCount, returnUrl: returnUrl.href }
  return {
    approveLink: await openApproval(deps, { ...asked, subscriptionId: sid }, () => requestApproval(deps, asked)),
  }
}

/** @throws Problem `paypal_unavailable`; `plan_price_changed` */
async function requestApproval(
  { paypal, config }: Deps,
  asked: Parameters<Deps['paypal']['reviseSubscription']>[0],
): Promise<string> {
  const link = await orUnavailable(() =>
    paypal.reviseSubscription(asked).catch((error: unknown) => {
      throw isPlanRetired(error) ? new Problem('plan_price_changed', { cause: error }) : error
    }),
  )
  if (!isApprovalPage(link, config)) throw new Problem('paypal_unavailable', { retryAfter: 5 })
  return link
}

/** A plan has one price: another price is another plan, and the old one is deactivated. */
function isPlanRetired(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && error.code === 'PLAN_STATUS_INVALID'
}

/** Only PayPal's own page is given out. */
export function isApprovalPage(link: string, { PAYPAL_API_URL: api }: Pick<Deps['config'], 'PAYPAL_API_URL'>): boolean {
  const { origin, host } = new URL(api)
  return URL.parse(link)?.origin === origin.replace(host, host.replace(/^api(-m)?\./, 'www.'))
}

/** @throws Problem `paypal_unavailable` */
export async function orUnavailable<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Problem('paypal_unavailable', { retryAfter: 5, cause: error })
  }
}
