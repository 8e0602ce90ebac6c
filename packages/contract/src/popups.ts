import { z } from 'zod'

/** Size of both popups (000 §2.2, 001 §2), in pixels. */
export const popupSize = { width: 650, height: 600 } as const

/** Where the login popup begins: of who is signed out, and of who must enter their credentials again. */
export const loginPopupPaths = { signedOut: '/account/sign-in/', fresh: '/account/sign-in/fresh/' } as const

/** `postMessage` of the login popup to its opener, and on the BroadcastChannel of `loginChannel`. */
export const LoginPopupMessage = z.object({ type: z.literal('loginSuccess') })
export const loginChannel = 'atrium-login'

/** On the BroadcastChannel of `signOutChannel`, so that the browser's other tabs hide private content. */
export const SignedOutMessage = z.object({ type: z.literal('signedOut') })
export const signOutChannel = 'atrium-sign-out'

/** What a popup of the single sign-on changes, once its owner has authenticated again (000 §2.2, 001 §2). */
const PopupTask = z.enum(['resetPassword', 'linkAccount', 'unlinkAccount'])
export type PopupTask = z.infer<typeof PopupTask>

const PopupOutcome = z.enum(['Success', 'Error', 'Close'])
export type PopupOutcome = z.infer<typeof PopupOutcome>

/** Messages of these popups to the account page: each requests user info, then reports its outcome (`resetPasswordSuccess`). */
export const PopupMessage = z.object({
  type: z.union([z.literal('getUserInfo'), z.templateLiteral([PopupTask, PopupOutcome])]),
})
export type PopupMessage = z.infer<typeof PopupMessage>

/** The account page's answer to `getUserInfo`: a 60-second token, never the session's. */
export const UserInfoMessage = z.object({ type: z.literal('userInfo'), accessToken: z.string().max(4096) })
export type UserInfoMessage = z.infer<typeof UserInfoMessage>
