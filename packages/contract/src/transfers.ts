import { z } from 'zod'
import { emailFault, emailForm } from './email.ts'
import { codeDigits } from './email-code.ts'
import { endpoint, freshSignIn } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { PlannedChange } from './planned-changes.ts'

/** Seconds until another pair of codes may be sent (001 §4, §9). */
export const secondsBetweenCodes = 30

/** Why a member can transfer nothing now. */
export const TransferObstacle = z.enum([
  /** No active or trialing online subscription is the member's own. */
  'nothing_to_transfer',
  /** There is one, and only a typed address says that it is the member's. */
  'known_by_address',
  /** A payment failed, or is not made yet. */
  'payment_due',
  /** The provider has not asked for the payment of its period yet, or its vendor asks for nothing. */
  'period_unpaid',
  /** One begins later, or its payment or quantity is being checked. */
  'pending',
  /** A change is not resolved yet, or waits for the customer. */
  'change_pending',
  /** One renews, and is charged, within a day. */
  'renewal_near',
  /** There was a transfer from or to this account in the last 30 days. */
  'transferred_recently',
])
export type TransferObstacle = z.infer<typeof TransferObstacle>

/** A subscription that moves, or stays. */
const Transferable = z.object({
  stripeSubscriptionId: z.string(),
  appName: z.string(),
  /** Seats paid. */
  userCount: z.int(),
  /** In TB; 0 if it has no storage. */
  storageCapacity: z.int(),
  esignConnectors: z.int(),
  /** Of an add-on: what it belongs to; empty for others. */
  parentName: z.string(),
  /** 1: a trial, which ends then, and is paid from then on. */
  isTrial: Flag,
})
export type Transferable = z.infer<typeof Transferable>

/** What becomes of a subscription that has moved. */
export const Fate = z.enum([
  /** The new Owner's card pays for what follows. */
  'goes_on',
  /** It ends with its paid period, unless the new Owner turns auto-renewal on with a card of their own. */
  'ends_unless_resumed',
  /** It ends with its paid period: the new Owner is billed in another currency. */
  'other_currency',
  /** It ends with its paid period. */
  'ends',
  /** It has no end, and nothing is billed. */
  'endless',
])
export type Fate = z.infer<typeof Fate>

const Moving = Transferable.extend({
  /** What becomes of it, as far as the sender may know: not what card the recipient has, nor what currency they pay in (`needs_card`). */
  fate: Fate.exclude(['goes_on', 'other_currency']).or(z.literal('needs_card')),
  /** ISO 8601: when the paid period ends; empty: it has no end. */
  until: z.string(),
  /** What is planned for it, and dropped; left out: nothing. */
  plannedChange: PlannedChange.optional(),
})
export type Moving = z.infer<typeof Moving>

const Moved = Transferable.extend({
  fate: Fate,
  /** ISO 8601: when the paid period ends; empty: it has no end. */
  until: z.string(),
})
export type Moved = z.infer<typeof Moved>

const Staying = Transferable.extend({
  /** `offline`: a contract. `known_by_address`: only a typed address says that it, or what it belongs to, is the member's. */
  reason: z.enum(['offline', 'known_by_address']),
})
export type Staying = z.infer<typeof Staying>

const stays = z.array(Staying)

/** Whether the member can transfer their subscriptions, and which those are (001 §2: the link is shown only then). */
export const checkTransfer = endpoint({
  method: 'GET',
  path: '/account/check-transfer/',
  summary: 'Whether the member can transfer their subscriptions',
  reply: z.object({
    canTransfer: Flag,
    /** Empty if they can. */
    obstacle: TransferObstacle.or(z.literal('')),
    /** The member's email address. */
    currentAccount: z.string(),
    /** Online and given subscriptions that are proven to be the member's own, with add-ons, seats, licenses and devices. */
    moves: z.array(Moving),
    stays,
  }),
})

/** An address that a person typed (001 §5). */
export const RecipientAccount = z
  .string('recipient_required')
  .overwrite(emailForm)
  .superRefine((email, context) => {
    const fault = email === '' ? 'recipient_required' : emailFault(email)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })

/** Six digits. */
function code(required: string) {
  return z
    .string(required)
    .max(40, 'code_malformed')
    .transform(codeDigits)
    .pipe(
      z
        .string()
        .min(1, required)
        .regex(/^(\d{6})?$/, 'code_malformed'),
    )
}

const refusals = {
  /** One answer for whoever cannot receive: an unknown or unverified account, the caller's own, an owner or seat holder here. */
  transfer_not_allowed: 409,
  /** The member can transfer nothing now: `check-transfer` says why. */
  transfer_not_possible: 409,
} as const

/** Whether an account can receive. It is checked again when the codes are sent, and when they are used. */
export const checkTransferEmail = endpoint({
  method: 'GET',
  path: '/account/check-transfer-email/',
  summary: 'Whether an account can receive subscriptions',
  query: z.object({ email: RecipientAccount, lang: LocaleCode }),
  reply: z.object({ email: z.string() }),
  problems: refusals,
})

/** Sends a code to each of both mailboxes; earlier ones are void (001 §7). */
export const transferEmailCode = endpoint({
  method: 'POST',
  path: '/account/transfer-email-code/',
  summary: 'Send both verification codes of a transfer',
  limit: 'provider',
  body: z.object({ email: RecipientAccount, lang: LocaleCode }),
  reply: z.object({
    /** Seconds until others may be sent. */
    resendAfter: z.int(),
    /** ISO 8601. */
    expiresAt: z.string(),
  }),
  problems: {
    ...refusals,
    /** What would move, or the recipient's card, which their email names, cannot be read now. */
    payment_provider_unavailable: 503,
  },
})

/** Moves every online and given subscription of the member to the recipient, with both codes (001 §4, §7). */
export const subscriptionTransfer = endpoint({
  method: 'POST',
  path: '/account/subscription-transfer/',
  summary: 'Transfer the subscriptions to another account',
  limit: 'provider',
  body: z.object({
    email: RecipientAccount,
    verificationCodeForCurrent: code('current_code_required'),
    verificationCodeForRecipient: code('recipient_code_required'),
    lang: LocaleCode,
  }),
  reply: z.object({ email: z.string(), moved: z.array(Moved), stays }),
  problems: {
    ...refusals,
    ...freshSignIn,
    /** There are no codes for this recipient, or they are too old, replaced, or were guessed too often. */
    codes_void: 409,
    /** The newest codes were sent for another recipient, and are still valid for that one. */
    codes_of_another: 409,
    /** Something that the recipient was told has changed since: new codes are needed. */
    transfer_changed: 409,
    /** What would move, or whether the recipient has added a card, cannot be read now: nothing was transferred. */
    payment_provider_unavailable: 503,
  },
})
