import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { type Limit, newLimit } from '@atrium/server-kit/limits.ts'
import { networkOf, siteOf } from '@atrium/server-kit/network.ts'
import { hashOf } from '../../secrets.ts'

/** Tries per period. Several steps together make a delay that grows with every failure. */
type Steps = readonly { points: number; seconds: number }[]

export interface DelaySteps {
  account: Steps
  device: Steps
  address: Steps
  email: Steps
  mailbox: Steps
  code: Steps
  siteCode: Steps
}

/** An allowance of several steps. The shortest is checked first, so that refused tries do not count for the longer ones. */
interface Allowance {
  /** @throws Problem `too_often` with the seconds to wait. */
  take(key: string): Promise<void>
  /** Gives back what one `take` has taken. */
  restore(key: string): Promise<void>
  forget(key: string): Promise<void>
}

export interface Delays {
  /** Tries to sign in from unknown devices; the key is the email address, whether it has an account or not. */
  account: Allowance
  /** Tries from one known device. */
  device: Allowance
  /** Tries from one network address. */
  address: Allowance
  /** Emails to one address, requested by one site or one known device. */
  email: Allowance
  /** Emails to one address, requested by all unknown devices together, or by all known ones. */
  mailbox: Allowance
  /** Wrong codes for one address from unknown devices, or from one known device. */
  code: Allowance
  /** Wrong codes from one site, for whatever addresses. */
  siteCode: Allowance
}

/** `signInsPerAddress`: tries that one network has in ten minutes; a fifth of them within one minute. */
export const delaySteps = (signInsPerAddress: number): DelaySteps => ({
  account: [
    { points: 5, seconds: 30 },
    { points: 10, seconds: 300 },
    { points: 20, seconds: 3600 },
  ],
  device: [
    { points: 5, seconds: 30 },
    { points: 15, seconds: 300 },
    { points: 30, seconds: 3600 },
  ],
  address: [
    { points: Math.ceil(signInsPerAddress / 5), seconds: 60 },
    { points: signInsPerAddress, seconds: 600 },
  ],
  email: [
    { points: 3, seconds: 900 },
    { points: 10, seconds: 86_400 },
  ],
  mailbox: [{ points: 20, seconds: 86_400 }],
  // A code has a million values, and opens an account without its password.
  code: [{ points: 20, seconds: 86_400 }],
  siteCode: [
    { points: 20, seconds: 3600 },
    { points: 60, seconds: 86_400 },
  ],
})

/** Delays that hold across every copy of the server. */
export function newDelays(db: Db, steps: DelaySteps): Delays {
  const allowance = (name: string, each: Steps): Allowance => {
    const limits: Limit[] = each.map(({ points, seconds }) =>
      newLimit(db, { name: `${name}-${seconds}`, points, seconds, schema: 'sso' }),
    )
    return {
      async take(key) {
        for (const limit of limits) await limit.take(hashOf(key))
      },
      async restore(key) {
        for (const limit of limits) await limit.restore(hashOf(key))
      },
      async forget(key) {
        for (const limit of limits) await limit.forget(hashOf(key))
      },
    }
  }

  return {
    account: allowance('account', steps.account),
    device: allowance('device', steps.device),
    address: allowance('address', steps.address),
    // The name under which earlier versions stored their counts.
    email: allowance('letter', steps.email),
    mailbox: allowance('mailbox', steps.mailbox),
    code: allowance('code', steps.code),
    siteCode: allowance('site-code', steps.siteCode),
  }
}

interface EmailRequest {
  email: string
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  caller: Visitor
}

/**
 * Counts a requested email. Strangers cannot use up the allowance of the owner's site, or of a device that the account
 * knows. @throws Problem `too_often`
 */
export async function takeEmail(delays: Delays, { email, device, caller }: EmailRequest): Promise<void> {
  await delays.address.take(networkOf(caller.address))
  await delays.email.take(device ? `device:${device}` : `${email} ${siteOf(caller.address)}`)
  await delays.mailbox.take(device ? `known:${email}` : email)
}

interface SigningIn {
  email: string
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  caller: Visitor
}

/** What a try of a password counts for. A known device has its own allowance, so that others cannot lock its owner out. */
export function signInAllowances(delays: Delays, { email, device, caller }: SigningIn) {
  if (device) return [{ allowance: delays.device, key: device }]
  return [
    { allowance: delays.address, key: networkOf(caller.address) },
    { allowance: delays.account, key: email },
  ]
}

/** What a wrong code counts for: of many addresses, too, and anew each day, nobody guesses one. */
export function codeAllowances(delays: Delays, { email, device, caller }: SigningIn) {
  return [
    { allowance: delays.siteCode, key: siteOf(caller.address) },
    { allowance: delays.code, key: device ? `device:${device}` : email },
  ]
}
