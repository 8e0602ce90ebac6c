/** Pending Setup Admins of a subscription: they take no seat, and would otherwise be without limit. */
export const maxPendingSetupAdmins = 20

/**
 * Emails that one address gets in a day from one Owner's subscriptions, withdrawn invitations too. A stranger must not use up what
 * others may send, so that those of all Owners together have a higher limit.
 */
const emailsPerDay = 5
const emailsPerDayOfAll = 20

/** Seconds between two emails of one invitation. */
const secondsBetweenResends = 60

export interface SentInvitation {
  email: string
  subscriptionId: string
  /** The subscription's Owner now. */
  ownerId: string
  seatId: string
  sentAt: Date
}

interface Wanted {
  email: string
  subscriptionId: string
  ownerId: string
  /** Of a user who was invited before. */
  seatId: string | undefined
  /** The most of a subscription in an hour (`INVITATIONS_PER_HOUR`). */
  perHour: number
  now: Date
}

/** Seconds until an invitation may be sent again after its last email; 0: now. */
export function secondsToResend(
  sent: readonly SentInvitation[],
  { seatId, now }: Pick<Wanted, 'seatId' | 'now'>,
): number {
  const ofSeat = sent.filter((one) => one.seatId === seatId)
  return waitFor(ofSeat, { most: 1, seconds: secondsBetweenResends, now })
}

/** Seconds until an invitation may be sent, by what was sent before; 0: now. */
export function secondsToWait(sent: readonly SentInvitation[], wanted: Wanted): number {
  const { email, subscriptionId, ownerId, seatId, perHour, now } = wanted
  const wait = (limit: { most: number; seconds: number }, counts: (one: SentInvitation) => boolean) =>
    waitFor(sent.filter(counts), { ...limit, now })
  return Math.max(
    wait({ most: emailsPerDay, seconds: 86_400 }, (one) => one.email === email && one.ownerId === ownerId),
    wait({ most: emailsPerDayOfAll, seconds: 86_400 }, (one) => one.email === email),
    wait({ most: perHour, seconds: 3600 }, (one) => one.subscriptionId === subscriptionId),
    secondsToResend(sent, { seatId, now }),
  )
}

interface Limit {
  most: number
  seconds: number
  now: Date
}

/** Seconds until another email may be sent; 0: now. */
export function waitFor(sent: readonly Pick<SentInvitation, 'sentAt'>[], { most, seconds, now }: Limit): number {
  const begin = now.getTime() - seconds * 1000
  const recent = sent.map(({ sentAt }) => sentAt.getTime()).filter((time) => time > begin)
  // The one that has to be older first.
  const oldest = recent.sort((one, other) => other - one)[most - 1]
  return oldest === undefined ? 0 : Math.ceil((oldest - begin) / 1000)
}
