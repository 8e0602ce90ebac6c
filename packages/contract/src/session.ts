import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocaleCode } from './locale.ts'

/** The signed-in member, as shown in the page's frame. */
export const SessionMember = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})
export type SessionMember = z.infer<typeof SessionMember>

/** Settings that the page needs. Addresses have no trailing slash. */
export const PageSettings = z.object({
  brandName: z.string(),
  /** `#rrggbb`; the ten shades are derived from it. */
  brandColor: z.string(),
  /** The vendor's site: base of every outbound path (`/shopping`, `/company/privacy-policy.html`). */
  siteUrl: z.string(),
  ssoUrl: z.string(),
  /** Where a password is changed, with a CAS server of the vendor; `null`: in our popup (000 §2.2). */
  passwordUrl: z.string().nullable(),
  feedbackUrl: z.string(),
  ticketsUrl: z.string(),
  /** The external admin console of teams (000 §6). */
  adminConsoleUrl: z.string(),
  /** The card provider's browser SDK; `null`: the vendor takes no cards, and the cards tab is hidden. */
  cards: z
    .object({
      /** Address of the script that defines `window.Stripe`. */
      scriptUrl: z.string(),
      publishableKey: z.string(),
    })
    .nullable(),
  /** PayPal's browser SDK; `null`: the vendor does not take PayPal. */
  paypal: z.object({ scriptUrl: z.string(), clientId: z.string() }).nullable(),
})
export type PageSettings = z.infer<typeof PageSettings>

/** Whom a page below `/support` is for. */
export const SupportPage = z.object({
  agentName: z.string(),
  /** Epoch seconds of the end of the support session; 0: none has started. */
  endsAt: z.int(),
})
export type SupportPage = z.infer<typeof SupportPage>

/**
 * The content of `<script type="application/json" id="page-data">` in the page's HTML, which saves a request before the first
 * content.
 */
export const PageData = z.object({
  locale: LocaleCode,
  settings: PageSettings,
  /** `null`: signed out; store the requested address in session storage, then go to `signInUrl`. */
  member: SessionMember.nullable(),
  signInUrl: z.string().nullable(),
  /** Set once if the visitor must be notified of something. */
  notice: z.enum(['roadmap_language', 'sign_in_failed']).nullable(),
  /** Epoch seconds until which the member lets support sign in to their account; 0: they do not. */
  supportAccessUntil: z.int(),
  /** `null`: a page of the member's own. Otherwise a support agent's, below `/support`: of the member, or the form if there is none. */
  support: SupportPage.nullable(),
})
export type PageData = z.infer<typeof PageData>

export const readSession = endpoint({
  method: 'GET',
  path: '/account/session/',
  summary: 'Who is signed in',
  support: 'read',
  reply: SessionMember.extend({
    /** Whether they entered their credentials in the last ten minutes, as what is sensitive requires. */
    isFresh: z.boolean(),
  }),
})

/** Ends the session here; the page then goes to `redirectUrl`, which ends it at the single sign-on and redirects to `to`. */
export const signOut = endpoint({
  method: 'POST',
  path: '/account/sign-out/',
  summary: 'Sign out',
  access: 'anyone',
  body: z.object({
    /** The vendor's site, or the account page, where another account can sign in. */
    to: z.enum(['site', 'account']).default('site'),
  }),
  reply: z.object({ redirectUrl: z.string() }),
})

/** A signed token (EdDSA, 60 s, audience: the sso) for the reset-password popup (000 §2.2). */
export const createPasswordResetToken = endpoint({
  method: 'POST',
  path: '/account/password-reset-token/',
  summary: 'Create a token for the reset-password popup',
  reply: z.object({ accessToken: z.string() }),
})
