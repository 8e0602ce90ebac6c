import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { type LocaleCode, maySellIn } from '@atrium/contract/locale.ts'
import type { dismissRenewalPrompt, RenewalPrompts } from '@atrium/contract/products.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { addressesIn } from './addresses.rules.ts'
import { lockOwnSubscription, type PromptRow, promptsOfMember } from './products.queries.ts'
import { renewalDismissals } from './products.tables.ts'
import { comingCharges, isDismissed, promptsOf } from './renewal-prompts.rules.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock'>

/** The most subscriptions that are looked at, and prompts that are answered: somebody with more needs another list. */
const mostRows = 200
const mostPrompts = 20

/** The renewal banner of My Products, without what was dismissed. */
export async function renewalPrompts(deps: Needs, member: Member, lang: LocaleCode): Promise<RenewalPrompts> {
  const rows = await rowsOf(deps, deps.db, member)
  return bannerOf(deps, rows, lang)
}

/**
 * Hides a prompt for seven days.
 * @throws Problem `not_found` if there is no such prompt, `not_dismissible` of what is past due
 */
export function dismissPrompt(
  deps: Needs,
  member: Member,
  { sid, reason, lang }: EndpointInput<typeof dismissRenewalPrompt>['body'],
): Promise<RenewalPrompts> {
  return deps.db.transaction(async (tx) => {
    if (!(await lockOwnSubscription(tx, member, sid))) throw new Problem('not_found')
    const rows = await rowsOf(deps, tx, member)
    const isShown =
      reason === 'card_expiring'
        ? comingCharges(rows, deps.clock()).some((charge) => charge.stripeSubscriptionId === sid)
        : allPrompts(deps, rows, lang).some((prompt) => prompt.stripeSubscriptionId === sid && prompt.reason === reason)
    if (!isShown) throw new Problem('not_found')
    if (reason === 'past_due') throw new Problem('not_dismissible')
    if (isDismissed(rows, sid, reason)) return bannerOf(deps, rows, lang)

    const now = deps.clock()
    const { memberId, subscriptionId, reason: why } = renewalDismissals
    await tx
      .insert(renewalDismissals)
      .values({ memberId: member.id, subscriptionId: sid, reason, dismissedAt: now })
      .onConflictDoUpdate({ target: [memberId, subscriptionId, why], set: { dismissedAt: now } })
    await record(tx, member, { action: 'renewal.dismissed', target: sid, details: { reason }, now })
    return bannerOf(deps, await rowsOf(deps, tx, member), lang)
  })
}

function rowsOf(deps: Needs, db: Reader, member: Member): Promise<PromptRow[]> {
  return promptsOfMember(db, { member, access: accessNow(deps), limit: mostRows })
}

function allPrompts({ config, clock }: Needs, rows: readonly PromptRow[], lang: LocaleCode) {
  return promptsOf(rows, { now: clock(), maySell: maySellIn(lang), addresses: addressesIn(config, lang) })
}

function bannerOf(deps: Needs, rows: readonly PromptRow[], lang: LocaleCode): RenewalPrompts {
  const prompts = allPrompts(deps, rows, lang).filter(
    ({ stripeSubscriptionId: id, reason }) => !isDismissed(rows, id, reason),
  )
  const charges = comingCharges(rows, deps.clock()).filter(
    ({ stripeSubscriptionId: id }) => !isDismissed(rows, id, 'card_expiring'),
  )
  return { list: prompts.slice(0, mostPrompts), total: prompts.length, charges }
}
