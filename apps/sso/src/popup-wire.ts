import { endpoint } from '@atrium/contract/endpoint.ts'
import { LinkedAccount } from '@atrium/contract/linked-accounts.ts'
import { z } from 'zod'

/** `password-reset` changes the password (000 §2.2), `account-link` links or unlinks a login provider (001 §2). */
export const PopupPurpose = z.enum(['password-reset', 'account-link'])
export type PopupPurpose = z.infer<typeof PopupPurpose>

const PopupId = z.string().min(1).max(200)

/** With which the owner of a popup authenticates again, for the one change that the popup is good for. */
export const PopupProof = z.object({
  popupId: PopupId,
  /** The current password, or the six-digit code of an account without one. */
  proof: z.string().min(1, 'password_required').max(1024, 'password_too_long'),
})

export const proofProblems = {
  popup_expired: 410,
  wrong_current_password: 409,
  wrong_code: 409,
  code_spent: 410,
} as const

export const openPopup = endpoint({
  method: 'POST',
  path: '/sso/popups/open/',
  summary: 'Exchange the account page’s token for ten minutes in a popup (000 §2.2, 001 §2)',
  access: 'anyone',
  body: z.object({
    accessToken: z.string().min(1).max(4096),
    /** The token must be for the same. */
    purpose: PopupPurpose,
  }),
  reply: z.object({
    popupId: z.string(),
    email: z.string(),
    hasPassword: z.boolean(),
    /** Whether a code for this purpose was emailed before, and may still be used. */
    isCodeSent: z.boolean(),
    /** In the order in which they were linked. */
    linkedAccounts: z.array(LinkedAccount),
  }),
  problems: { token_refused: 403 },
})

export const sendPopupCode = endpoint({
  method: 'POST',
  path: '/sso/popups/code/',
  summary: 'Send a six-digit code to an account that has no password yet',
  access: 'anyone',
  body: z.object({ popupId: PopupId }),
  reply: z.object({}),
  problems: { popup_expired: 410, has_password: 409 },
})
