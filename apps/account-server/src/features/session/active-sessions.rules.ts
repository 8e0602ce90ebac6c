import type { ActiveSession, SsoSession } from '@atrium/contract/active-sessions.ts'
import Bowser from 'bowser'
import { epochSeconds } from '../../db/members.rules.ts'
import type { sessions } from './session.tables.ts'

type OwnSession = Pick<
  typeof sessions.$inferSelect,
  'id' | 'ticketHash' | 'userAgent' | 'address' | 'createdAt' | 'seenAt'
>

/** A browser that is signed in, and the sessions that end with it. */
export interface OpenSession {
  shown: ActiveSession
  /** Ours. */
  ownIds: readonly string[]
  /** At the single sign-on; undefined: it is over there, or nothing is known of it. */
  ssoId: string | undefined
}

interface Known {
  own: readonly OwnSession[]
  /** Of the single sign-on; empty if it has none or does not say. */
  atSso: readonly SsoSession[]
  /** Id of the caller's. */
  currentId: string
}

/** The browsers in which a member is signed in: the caller's first, then by last use. */
export function openSessions({ own, atSso, currentId }: Known): OpenSession[] {
  const claimed = new Set(atSso.flatMap(({ tickets }) => tickets))
  const alone = own.filter(({ ticketHash }) => !claimed.has(ticketHash))
  const all = [
    ...atSso.map((session) => withOwn(session, own, currentId)),
    ...alone.map((session) => onlyHere(session, currentId)),
  ]
  return all.sort(
    ({ shown: one }, { shown: other }) =>
      Number(other.isCurrent) - Number(one.isCurrent) || other.usedAt - one.usedAt || (one.id < other.id ? -1 : 1),
  )
}

function withOwn({ tickets, userAgent, ...session }: SsoSession, own: readonly OwnSession[], currentId: string) {
  const opened = own.filter(({ ticketHash }) => tickets.includes(ticketHash))
  const ownIds = opened.map(({ id }) => id)
  const usedAt = Math.max(session.usedAt, ...opened.map(({ seenAt }) => epochSeconds(seenAt)))
  const shown = { ...session, ...browserOf(userAgent), usedAt, isCurrent: ownIds.includes(currentId) }
  return { shown, ownIds, ssoId: session.id }
}

function onlyHere({ id, userAgent, address, createdAt, seenAt }: OwnSession, currentId: string): OpenSession {
  const times = { startedAt: epochSeconds(createdAt), usedAt: epochSeconds(seenAt) }
  const shown = { id, ...browserOf(userAgent), address, ...times, isCurrent: id === currentId }
  return { shown, ownIds: [id], ssoId: undefined }
}

/** The names in a browser's `User-Agent`; empty where it does not say. */
export function browserOf(userAgent: string): Pick<ActiveSession, 'browser' | 'system'> {
  if (userAgent === '') return { browser: '', system: '' }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: browser.name ?? '', system: os.name ?? '' }
}
