import { type CloudAccount, chooseRegion, type openCloud, personalId, type Region } from '@atrium/contract/cloud.ts'
import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import { english, localeByCode, localePath } from '@atrium/contract/locale.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { and, eq, ne } from 'drizzle-orm'
import { lockCaller } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { signedToken } from '../session/signed-token.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { cloudChoices } from './cloud.queries.ts'
import { cloudAccountOf, cloudUrl, hasOwnSignOn, launchUrl } from './cloud.rules.ts'
import { cloudAccounts } from './cloud.tables.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock'>

/** The member's data region and user types. */
export async function cloudAccount(deps: Needs, member: Member): Promise<CloudAccount> {
  return cloudAccountOf(await choicesOf(deps, deps.db, member), deps.config)
}

/** Chooses the data region. @throws Problem `region_not_offered`; `region_chosen` with what is chosen */
export function chooseDataRegion(
  deps: Needs & Pick<Deps, 'wallClock'>,
  member: Member,
  region: Region,
): Promise<CloudAccount> {
  const { db, config, wallClock } = deps
  if (!cloudUrl(config, region)) throw new Problem('region_not_offered')

  return db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const now = wallClock()
    const chosen = await tx
      .insert(cloudAccounts)
      .values({ memberId: member.id, region, chosenAt: now, userTypeId: personalId })
      .onConflictDoNothing()
      .returning()
    const after = cloudAccountOf(await choicesOf(deps, tx, member), config)
    if (chosen.length === 0) throw problemWithData(chooseRegion, 'region_chosen', after)

    await record(tx, member, { action: 'cloud.region_chosen', target: member.id, details: { region }, now })
    return after
  })
}

/**
 * Where the cloud service opens for the member, signed in if the single sign-on issues a ticket.
 * @throws Problem `not_found` (not their enterprise), `region_missing`, `region_not_offered`
 */
export async function launchCloud(
  deps: Deps,
  member: Member,
  { userTypeId, lang }: EndpointInput<typeof openCloud>['body'],
): Promise<EndpointAnswer<typeof openCloud>> {
  const { db, config } = deps
  const choices = await choicesOf(deps, db, member)
  const { userTypes } = cloudAccountOf(choices, config)
  if (!userTypes.some(({ id }) => id === userTypeId)) throw new Problem('not_found')
  if (!choices.region) throw new Problem('region_missing')
  const service = cloudUrl(config, choices.region)
  if (!service) throw new Problem('region_not_offered')

  if (userTypeId !== choices.userTypeId) await remember(deps, member, userTypeId)
  const ticket = await ticketFor(deps, { service, ticketHash: choices.ticketHash, requestId: member.requestId })
  const page = localePath(localeByCode(lang) ?? english, '/account')
  return { url: launchUrl({ service, ticket, from: `${config.PUBLIC_URL}${page}?tab=my-products`, userTypeId }) }
}

async function choicesOf({ config, clock }: Needs, db: Reader, member: Member) {
  const choices = await cloudChoices(db, member, accessNow({ config, clock }))
  if (!choices) throw new Problem('signed_out')
  return choices
}

/** Of two clicks, one finds it changed. */
function remember({ db, wallClock }: Deps, member: Member, userTypeId: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const changed = await tx
      .update(cloudAccounts)
      .set({ userTypeId })
      .where(and(eq(cloudAccounts.memberId, member.id), ne(cloudAccounts.userTypeId, userTypeId)))
      .returning()
    if (changed.length === 0) return
    const details = { userTypeId }
    await record(tx, member, { action: 'cloud.user_type_chosen', target: member.id, details, now: wallClock() })
  })
}

interface TicketRequest {
  service: string
  /** Of the ticket with which the member's session began: it names the session at the single sign-on. */
  ticketHash: string
  requestId: string
}

/** A ticket, or `undefined`: the cloud service then has the person sign in. */
async function ticketFor(deps: Deps, { service, ticketHash, requestId }: TicketRequest): Promise<string | undefined> {
  const { config, logger, fetchCloudTicket } = deps
  if (!hasOwnSignOn(config)) return undefined

  const request = await signedToken(
    deps,
    { subject: ticketHash },
    { purpose: 'cloud-ticket', audience: config.SSO_URL, claims: { service } },
  )
  const answer = await fetchCloudTicket(request)
  if ('ticket' in answer) return answer.ticket
  // The sign-on's session may end before ours does; everything else is for the operator.
  const level = answer.detail === 'session_ended' ? 'info' : 'warn'
  logger[level]({ ...answer, service, requestId }, 'cloud ticket not issued')
  return undefined
}
