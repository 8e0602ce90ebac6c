import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { isUnavailable } from '../../outside/cas-failure.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { recordSystem } from '../activity/activity.writes.ts'
import { emailDevices } from '../devices/devices.tables.ts'
import { publishEvent } from '../events/events.writes.ts'
import { memberOfPrincipal } from '../session/identities.writes.ts'
import { describeTicketFailure, hashOf, isEmailVerified, refusalSentence } from '../session/session.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { activeOnSeat, lockSeats } from './activation.queries.ts'
import { isAtTheDevice, newEmailDeviceToken } from './activation.rules.ts'
import type { Activated, Asked } from './key-activation.service.ts'

/** Activates a device for a person verified by the single sign-on, on their seat in a subscription of the product. */
export async function activateByEmail(deps: Deps, caller: Visitor, asked: Asked<'email'>): Promise<Activated> {
  if (!isAtTheDevice(asked.service)) throw new Problem('ticket_refused')
  const principal = await deps.validateTicket(asked.ticket, asked.service)
  if ('failure' in principal) {
    const { requestId } = caller
    deps.logger.warn({ ...describeTicketFailure(asked.ticket, principal), requestId }, 'ticket not redeemed')
    throw new Problem(isUnavailable(principal) ? 'sign_on_unavailable' : 'ticket_refused')
  }

  const member = await memberOf(deps, { principal, visitor: caller })
  if (!member) throw new Problem('no_seat')
  return deps.db.transaction(async (tx) => {
    const access = accessNow(deps)
    const seats = await lockSeats(tx, member.id, asked.appCode, access)
    if (seats.length === 0) throw new Problem('no_seat')
    const usable = seats.filter(({ isValid }) => isValid)
    if (usable.length === 0) throw new Problem('license_expired')
    const place = await placeOn(deps, tx, usable, asked)
    const { seat, isKnown } = place
    const activationId = newEmailDeviceToken()
    const deviceId = await storeDevice(tx, { asked, seat, activationId, now: access.now })
    if (!isKnown) {
      // Where a colleague of the Owner is, is theirs.
      const address = seat.ownerId === member.id ? caller.address : null
      await recordActivation(deps, tx, { asked, seat, deviceId, by: { ...caller, address }, now: access.now })
    }
    return {
      activationId,
      productCode: asked.appCode,
      licenseId: seat.licenseId ?? '',
      expirationDate: seat.expirationDate,
      seats: deps.config.DEVICES_PER_SEAT,
      activeDevices: place.activeDevices + (isKnown ? 0 : 1),
    }
  })
}

interface Arrival {
  principal: CasSuccess
  visitor: Visitor
}

/** A sign-in on a device may be the first one at all: whatever becomes of the device, what the person bought is looked for. */
async function memberOf({ db, ...deps }: Deps, { principal, visitor }: Arrival) {
  const { config, clock, logger } = deps
  const emailVerified = isEmailVerified(config.CAS_EMAIL_VERIFIED, principal.attributes)
  const arrival = { principal, emailVerified, visitor, now: clock() }
  const standing = await db.transaction((tx) => memberOfPrincipal(tx, deps, arrival))
  if (standing.kind === 'member') return standing.member
  const who = { subject: principal.user, requestId: visitor.requestId }
  logger.warn({ ...who, ...standing.reason }, refusalSentence(standing.reason))
  return undefined
}

type Seat = Awaited<ReturnType<typeof lockSeats>>[number]

/**
 * The seat for a device: the one where it is active already, even if another is free, otherwise the first that has room.
 * @throws Problem `no_seat` if more seats are taken than are paid, and these come last; `no_activations_left`
 */
async function placeOn({ config }: Pick<Deps, 'config'>, tx: Tx, seats: readonly Seat[], asked: Asked<'email'>) {
  const { mac, appName } = asked
  const places = []
  for (const seat of seats.filter(({ isPaid }) => isPaid)) {
    const active = await activeOnSeat(tx, seat.id)
    const isKnown = active.some((device) => device.mac === mac && device.appName === appName)
    places.push({ seat, isKnown, activeDevices: active.length })
  }
  if (places.length === 0) throw new Problem('no_seat')
  const known = places.find(({ isKnown }) => isKnown)
  if (known) return known

  const free = places.find(({ activeDevices }) => activeDevices < config.DEVICES_PER_SEAT)
  if (!free) throw new Problem('no_activations_left')
  return free
}

interface Stored {
  asked: Asked<'email'>
  seat: Seat
  activationId: string
  now: Date
}

/** One row per device; activating it again reuses the row. Returns its id. */
async function storeDevice(tx: Tx, { asked, seat, activationId, now }: Stored): Promise<string> {
  const { hostName, mac, appName, appVersion } = asked
  const facts = { hostName, appVersion, updatedAt: now, deactivatedAt: null, tokenHash: hashOf(activationId) }
  const [device] = await tx
    .insert(emailDevices)
    .values({ seatId: seat.id, subscriptionId: seat.subscriptionId, mac, appName, ...facts })
    .onConflictDoUpdate({ target: [emailDevices.seatId, emailDevices.mac, emailDevices.appName], set: facts })
    .returning({ id: emailDevices.id })
  if (!device) throw new Error('the device was not stored')
  return device.id
}

interface NewActivation {
  asked: Asked<'email'>
  seat: Seat
  deviceId: string
  by: Pick<Visitor, 'requestId'> & { address: string | null }
  now: Date
}

async function recordActivation(deps: Deps, tx: Tx, { asked, seat, deviceId, by, now }: NewActivation): Promise<void> {
  const { hostName, mac, appName, appVersion } = asked
  const { subscriptionId, ownerId, email } = seat
  await recordSystem(
    tx,
    { ...by, actor: 'activation', memberId: ownerId },
    {
      action: 'device.activated',
      target: deviceId,
      details: { hostName, mac, appName, email, subscriptionId },
      now,
    },
  )
  await publishEvent(deps, tx, {
    type: 'device.activated',
    data: {
      deviceId,
      method: 'email',
      subscriptionId,
      email,
      macAddress: mac,
      deviceName: hostName,
      appName,
      appVersion,
    },
    now,
  })
}
