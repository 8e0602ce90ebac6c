import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { checkTransfer, TransferObstacle } from '@atrium/contract/transfers.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { soldPrices } from '../catalog/catalog.queries.ts'
import { readBilled } from '../subscriptions/moving/read-billed.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { orUnavailable } from './or-unavailable.ts'
import type { Recipient } from './transfers.queries.ts'
import {
  hasTransferred,
  isChanging,
  type OwnSubscription,
  ownSubscriptions,
  recipientFor,
} from './transfers.queries.ts'
import { countedSince, movingOf, obstacleTo, type StayingSubscription, sorted, stayingOf } from './transfers.rules.ts'

type Needs = Pick<Deps, 'config' | 'clock'>

interface Standing {
  /** Undefined: the member can transfer. */
  obstacle: TransferObstacle | undefined
  moving: readonly OwnSubscription[]
  staying: readonly StayingSubscription[]
}

/** What a member could transfer now, and what stands in the way. */
export async function standingOf(deps: Needs, db: Reader, member: Pick<Member, 'id'>): Promise<Standing> {
  const now = deps.clock()
  const { moving, staying } = sorted(await ownSubscriptions(db, member, accessNow(deps)))
  // Most members have nothing to transfer, and nothing else is read for them.
  const hasAny = moving.length > 0
  const obstacle = obstacleTo({
    ...{ moving, staying },
    hasTransferred: hasAny && (await hasTransferred(db, member, countedSince(now))),
    isChanging: hasAny && (await isChanging(db, member)),
    now,
  })
  return { obstacle, moving, staying }
}

/** Reads what moves where it is billed, before anything is decided of it. @throws Problem `payment_provider_unavailable` */
export function readMoving(deps: Deps, { moving }: Pick<Standing, 'moving'>): Promise<void> {
  const rows = moving.map(({ row }) => row)
  return orUnavailable(() => readBilled(deps, rows))
}

/** Whether a member can transfer, and what (001 §2). */
export async function eligibilityOf(deps: Deps, member: Member): Promise<EndpointAnswer<typeof checkTransfer>> {
  const { obstacle, moving, staying } = await standingOf(deps, deps.db, member)
  const prices = moving.length > 0 ? await soldPrices(deps.db, 'card') : []
  return {
    canTransfer: obstacle === undefined ? 1 : 0,
    obstacle: obstacle ?? '',
    currentAccount: member.email,
    moves: movingOf(moving, prices),
    stays: staying.map(stayingOf),
  }
}

/**
 * The account with this address, if it can receive what the member has.
 * @throws Problem `transfer_not_possible`; `transfer_not_allowed`, whatever the reason
 */
export async function expectRecipient(deps: Needs, db: Reader, member: Member, email: string) {
  const standing = await standingOf(deps, db, member)
  if (standing.obstacle) throw new Problem('transfer_not_possible')
  const recipient = await recipientFor(db, member, { email, access: accessNow(deps) })
  if (!recipient) throw new Problem('transfer_not_allowed')
  return { ...standing, recipient } satisfies Standing & { recipient: Recipient }
}
