import { z } from 'zod'
import { endpoint, freshSignIn } from './endpoint.ts'

/** No Access, 1 week, 1 month, 3 months, 6 months, 1 year (000 §4). */
export const accessDurations = ['none', '1w', '1m', '3m', '6m', '1y'] as const
export const AccessDuration = z.enum(accessDurations)
export type AccessDuration = z.infer<typeof AccessDuration>

export const SupportAccess = z.object({
  /** Epoch seconds of the end of the current grant; 0 if there is none. */
  grantLoginExpireTime: z.int(),
  /** Each choice with its end if granted now; 0 for `none`. */
  durations: z.array(z.object({ duration: AccessDuration, expireTime: z.int() })),
})
export type SupportAccess = z.infer<typeof SupportAccess>

export const readSupportAccess = endpoint({
  method: 'GET',
  path: '/account/support-access/',
  summary: 'Login access granted to support, and the ends it could be given',
  support: 'read',
  reply: SupportAccess,
})

export const setSupportAccess = endpoint({
  method: 'PUT',
  path: '/account/support-access/',
  summary: 'Grant, change or withdraw login access',
  body: z.object({ grantLoginExpireTime: AccessDuration }),
  reply: SupportAccess,
  problems: freshSignIn,
})
