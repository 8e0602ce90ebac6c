import { EmailAddress } from '@atrium/contract/email.ts'
import { codeDigits } from '@atrium/contract/email-code.ts'
import { endpoint } from '@atrium/contract/endpoint.ts'
import { LocaleCode } from '@atrium/contract/locale.ts'
import { ProviderName } from '@atrium/contract/login-providers.ts'
import { profileLimits } from '@atrium/contract/profile.ts'
import { RequiredLine } from '@atrium/contract/text.ts'
import { z } from 'zod'
import { PopupProof, proofProblems } from './popup-wire.ts'

/** How a ticket is sent to its service (CAS 3.0 §2.1.1). */
export const TicketMethod = z.enum(['GET', 'POST', 'HEADER'])
export type TicketMethod = z.infer<typeof TicketMethod>

const common = {
  brandName: z.string(),
  brandColor: z.string(),
  siteUrl: z.string(),
  accountUrl: z.string(),
  locale: LocaleCode,
  /** Folder of the language's texts: `ja-jp`. */
  folder: z.string(),
  /** Every language by its own name. */
  languages: z.array(z.object({ code: LocaleCode, name: z.string() })),
  /** The login providers that are set up. */
  providers: z.array(ProviderName),
}

/** Where the program on the person's own machine listens that is the service; null: it is none. */
const Program = z.string().nullable()

/** The page to show. `service` is a registered one, or absent; `email` is what the form is filled with. */
const Page = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('sign-in'),
    service: z.string().nullable(),
    method: TicketMethod,
    /** Whether the service insists on the password (CAS `renew`), so that the page offers no providers. */
    renew: z.boolean(),
    email: z.string(),
    program: Program,
  }),
  /** Before a program on the machine of who is signed in gets a ticket: any site can open its address. */
  z.object({
    name: z.literal('program'),
    service: z.string(),
    method: TicketMethod,
    email: z.string(),
    program: z.string(),
  }),
  /** Signing in again, for a service that insists on it, to an account without a password: with a code by email. */
  z.object({
    name: z.literal('sign-in-code'),
    service: z.string().nullable(),
    method: TicketMethod,
    email: z.string(),
    /** Whether one was emailed before, and may still be used. */
    isCodeSent: z.boolean(),
    program: Program,
  }),
  /** The way back from a provider; `service` and `method` are those of the sign-in, if it is known. */
  z.object({
    name: z.literal('provider-return'),
    provider: ProviderName,
    /** Whether an account is linked, in a popup, instead of signed in. */
    isLink: z.boolean(),
    service: z.string().nullable(),
    method: TicketMethod,
  }),
  z.object({ name: z.literal('link-account'), provider: ProviderName }),
  /** `accountId` is the id of a linked account. */
  z.object({ name: z.literal('unlink-account'), accountId: z.string() }),
  z.object({
    name: z.enum(['sign-up', 'forgotten-password']),
    service: z.string().nullable(),
    method: TicketMethod,
    email: z.string(),
  }),
  z.object({ name: z.literal('choose-password'), service: z.string().nullable() }),
  z.object({ name: z.enum(['confirm-email', 'reset-password']) }),
  z.object({ name: z.literal('signed-in'), email: z.string() }),
  z.object({ name: z.enum(['signed-out', 'refused-service', 'malformed', 'not-found', 'unavailable']) }),
])
export type Page = z.infer<typeof Page>
export type PageOf<Name extends Page['name']> = Extract<Page, { name: Name }> & { name: Name }

/** The content of `<script type="application/json" id="page-data">` in a page. */
export const PageData = z.object({ ...common, page: Page })
export type PageData = z.infer<typeof PageData>

export const Email = EmailAddress()
const Name = (required: string) => RequiredLine(profileLimits.name, required)
export const Service = z.string().max(2000).nullable().default(null)
/** Only a limit of size; the rules of new passwords have their own codes. */
export const Password = z.string().min(1, 'password_required').max(1024, 'password_too_long')
export const EmailCode = z
  .string()
  .max(40, 'code_required')
  .transform(codeDigits)
  .pipe(z.string().min(1, 'code_required'))
const Token = z.string().min(1).max(200)
export const Nothing = z.object({})

/** Where a signed-in browser goes. `ticket` only for `POST`: the page sends it to `redirectUrl` as a form. */
export const Destination = z.object({ redirectUrl: z.string(), ticket: z.string().nullable() })
export type Destination = z.infer<typeof Destination>

export const signIn = endpoint({
  method: 'POST',
  path: '/sso/sign-in/',
  summary: 'Sign in with e-mail and password',
  access: 'anyone',
  body: z.object({
    email: Email,
    password: Password,
    service: Service,
    method: TicketMethod.default('GET'),
    locale: LocaleCode.default('en-us'),
  }),
  reply: Destination,
  problems: { wrong_credentials: 401, service_refused: 403 },
})

export const continueToProgram = endpoint({
  method: 'POST',
  path: '/sso/programs/continue/',
  summary: 'A ticket for a program on the machine of who is signed in, which they were told about',
  access: 'anyone',
  body: z.object({ service: z.string().max(2000), method: TicketMethod.default('GET') }),
  reply: Destination,
  problems: { signed_out: 401, service_refused: 403 },
})

export const sendSignInCode = endpoint({
  method: 'POST',
  path: '/sso/sign-in/code/',
  summary: 'Send a six-digit code to who is signed in, and signs in again without a password',
  access: 'anyone',
  body: Nothing,
  reply: Nothing,
  problems: { has_password: 409 },
})

export const signInWithCode = endpoint({
  method: 'POST',
  path: '/sso/sign-in/confirm-code/',
  summary: 'Sign in again with the emailed code, to an account without a password',
  access: 'anyone',
  body: z.object({ code: EmailCode, service: Service, method: TicketMethod.default('GET') }),
  reply: Destination,
  problems: { has_password: 409, wrong_code: 409, code_spent: 410, service_refused: 403 },
})

export const signUp = endpoint({
  method: 'POST',
  path: '/sso/sign-up/',
  summary: 'Ask for an account; the answer is the same whether the address has one or not',
  access: 'anyone',
  body: z.object({
    firstName: Name('first_name_required'),
    lastName: Name('last_name_required'),
    email: Email,
    password: Password,
    service: Service,
    locale: LocaleCode.default('en-us'),
  }),
  reply: Nothing,
  problems: { service_refused: 403 },
})

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/sso/confirm-email/',
  summary: 'Make the account, with the token of the emailed link and the password that was chosen',
  access: 'anyone',
  /** A stranger may have signed up with this address, so the password proves who did. */
  body: z.object({ token: Token, password: Password }),
  reply: z.object({ email: z.string(), service: z.string().nullable() }),
  problems: { link_spent: 410, wrong_chosen_password: 401 },
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/sso/forgotten-password/',
  summary: 'Ask for a link to choose a new password; the answer is the same for every address',
  access: 'anyone',
  body: z.object({ email: Email, service: Service, locale: LocaleCode.default('en-us') }),
  reply: Nothing,
  problems: { service_refused: 403 },
})

export const choosePassword = endpoint({
  method: 'POST',
  path: '/sso/choose-password/',
  summary: 'Choose a new password, with the token of the emailed link',
  access: 'anyone',
  body: z.object({ token: Token, password: Password }),
  reply: z.object({ email: z.string() }),
  problems: { link_spent: 410 },
})

export const checkResetLink = endpoint({
  method: 'POST',
  path: '/sso/choose-password/check/',
  summary:
    'Whether the token of the emailed link still works, which is not used up, and what a new password will unlink',
  access: 'anyone',
  body: z.object({ token: Token }),
  reply: z.object({ linked: z.array(ProviderName) }),
  problems: { link_spent: 410 },
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/sso/reset-password/',
  summary: 'Change the password in the popup; ends every session of the account',
  access: 'anyone',
  body: z.object({
    ...PopupProof.shape,
    password: Password,
  }),
  reply: Nothing,
  problems: proofProblems,
})
