import { z } from 'zod'

/** Size of both popups (000 §2.2, 001 §2), in pixels. */
export const popupSize = { width: 650, height: 600 } as const

/** `postMessage` of the login popup to its opener, and on the BroadcastChannel of `loginChannel`. */
export const LoginPopupMessage = z.object({ type: z.literal('loginSuccess') })
export const loginChannel = 'atrium-login'

/** On the BroadcastChannel of `signOutChannel`, so that the browser's other tabs hide private content. */
export const SignedOutMessage = z.object({ type: z.literal('signedOut') })
export const signOutChannel = 'atrium-sign-out'

/** Messages of the reset-password popup to the account page: it requests user info, then reports the result. */
export const ResetPasswordPopupMessage = z.object({
  type: z.enum(['getUserInfo', 'resetPasswordSuccess', 'resetPasswordError', 'resetPasswordClose']),
})

/** The same of the popup that links a login provider. */
export const LinkAccountPopupMessage = z.object({
  type: z.enum(['getUserInfo', 'linkAccountSuccess', 'linkAccountError', 'linkAccountClose']),
})

/** The account page's answer to `getUserInfo`: a 60-second token, never the session's. */
export const UserInfoMessage = z.object({ type: z.literal('userInfo'), accessToken: z.string().max(4096) })
export type UserInfoMessage = z.infer<typeof UserInfoMessage>
