import { z } from 'zod'

/** Both popups (000 §2.2, 001 §2). Pixels. */
export const popupSize = { width: 650, height: 600 } as const

/** `postMessage` of the login popup to its opener, and on the BroadcastChannel of `loginChannel`. */
export const LoginPopupMessage = z.object({ type: z.literal('loginSuccess') })
export const loginChannel = 'atrium-login'

/** On the BroadcastChannel of `signOutChannel`, to the other tabs of the browser: nothing private stays in sight. */
export const SignedOutMessage = z.object({ type: z.literal('signedOut') })
export const signOutChannel = 'atrium-sign-out'

/** What the reset-password popup says to the account page. It asks for user info first, then reports how it ended. */
export const ResetPasswordPopupMessage = z.object({
  type: z.enum(['getUserInfo', 'resetPasswordSuccess', 'resetPasswordError', 'resetPasswordClose']),
})

/** The account page's answer to `getUserInfo`: a 60-second token, never the session's own. */
export const UserInfoMessage = z.object({ type: z.literal('userInfo'), accessToken: z.string().max(4096) })
export type UserInfoMessage = z.infer<typeof UserInfoMessage>
