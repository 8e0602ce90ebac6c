import type { AccountConfig } from '../../config.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'

/** For how long a sign-in can start a support session. */
export const signInMinutes = 10

const sessionMinutes = 60

/** The end of a support session that starts now: never after the grant. */
export function sessionEnd(now: Date, grantedUntil: Date): Date {
  return new Date(Math.min(now.getTime() + sessionMinutes * 60_000, grantedUntil.getTime()))
}

/** Whether an account at the single sign-on is a support agent's, by the setting SUPPORT_ROLE: `<attribute>:<value>`. */
export function isSupportAgent(
  { SUPPORT_ROLE: role }: Pick<AccountConfig, 'SUPPORT_ROLE'>,
  { attributes, lists = {} }: CasSuccess,
): boolean {
  if (role === undefined) return false
  const colon = role.indexOf(':')
  const [attribute, value] = [role.slice(0, colon), role.slice(colon + 1)]
  return (lists[attribute] ?? [attributes[attribute]]).includes(value)
}

/** What members read of an agent. */
export function agentNameOf({ user, attributes }: CasSuccess): string {
  const name = [attributes.firstName, attributes.lastName].filter(Boolean).join(' ').trim()
  return (name || attributes.email || user).slice(0, 200)
}
