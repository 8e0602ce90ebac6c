import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { type LocaleCode, maySellIn } from '@atrium/contract/locale.ts'
import type { dismissRenewalPrompt, RenewalPrompts } from '@atrium/contract/products.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { lockCaller } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { addressesIn } from './addresses.rules.ts'
import { licensedOutright } from './own-licenses.queries.ts'
import { promptsOfMember } from './products.queries.ts'
import { renewalDismissals } from './products.tables.ts'
import { comingCharges, isDismissed, type PromptRows, promptsOf } from './renewal-prompts.rules.ts'

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
  { subject, reason, lang }: EndpointInput<typeof dismissRenewalPrompt>['body'],
): Promise<RenewalPrompts> {
  return deps.db.transaction(async (tx) => {
    // Two tabs hide it once.
    await lockCaller(tx, member)
    const rows = await rowsOf(deps, tx, member)
    const isShown =
      reason === 'card_expiring'
        ? comingCharges(rows.owned, deps.clock()).some((charge) => charge.stripeSubscriptionId === subject)
        : allPrompts(deps, rows, lang).some((prompt) => prompt.subject === subject && prompt.reason === reason)
    if (!isShown) throw new Problem('not_found')
    if (reason === 'past_due') throw new Problem('not_dismissible')
    if (isDismissed(rows, subject, reason)) return bannerOf(deps, rows, lang)

    const now = deps.clock()
    await tx
      .insert(renewalDismissals)
      .values({ memberId: member.id, subject, reason, dismissedAt: now })
      .onConflictDoUpdate({
        target: [renewalDismissals.memberId, renewalDismissals.subject, renewalDismissals.reason],
        set: { dismissedAt: now },
      })
    await record(tx, member, { action: 'renewal.dismissed', target: subject, details: { reason }, now })
    return bannerOf(deps, await rowsOf(deps, tx, member), lang)
  })
}

async function rowsOf(deps: Needs, db: Reader, member: Member): Promise<PromptRows> {
  const access = accessNow(deps)
  const [owned, licensed] = await Promise.all([
    promptsOfMember(db, { member, access, limit: mostRows }),
    licensedOutright(db, { member, access }),
  ])
  return { owned, licensed }
}

function allPrompts({ config, clock }: Needs, rows: PromptRows, lang: LocaleCode) {
  return promptsOf(rows, { now: clock(), maySell: maySellIn(lang), addresses: addressesIn(config, lang) })
}

function bannerOf(deps: Needs, rows: PromptRows, lang: LocaleCode): RenewalPrompts {
  const prompts = allPrompts(deps, rows, lang).filter(({ subject, reason }) => !isDismissed(rows, subject, reason))
  const charges = comingCharges(rows.owned, deps.clock()).filter(
    ({ stripeSubscriptionId: id }) => !isDismissed(rows, id, 'card_expiring'),
  )
  return { list: prompts.slice(0, mostPrompts), total: prompts.length, charges }
}
