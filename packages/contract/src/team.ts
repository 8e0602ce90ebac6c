import { z } from 'zod'
import { EmailAddress, emailForm } from './email.ts'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { PageQuery } from './page.ts'
import { SeatType, seatTypes } from './seat-types.ts'
import { SubscriptionId } from './subscriptions.ts'
import { Line } from './text.ts'

/** At most so many people are invited at a time (001 §5). */
export const maxInvitations = 10

/** What an Owner, Admin or Setup Admin can do with a user of the subscription (001 §4). */
export const teamActions = ['activate', 'deactivate', 'resend', 'change-role', 'remove'] as const
export type TeamAction = (typeof teamActions)[number]

/** Subscription user, 001 §3. */
export const SubscriptionUser = z.object({
  email: z.string(),
  type: SeatType,
  status: z.enum(['Pending', 'Accepted']),
  /** 1: holds a license. */
  isUse: Flag,
  distributionUuid: z.uuid(),
  /** 1: invited, and the invitation has lapsed. It holds no seat, and can be sent again. */
  isExpired: Flag,
  /** Of an invitation: when it lapses, or has lapsed; ISO 8601. Empty: accepted. */
  expiresAt: z.string(),
  /** What the caller may do with this user now, in the order in which it is offered. */
  actions: z.array(z.enum(teamActions)),
})
export type SubscriptionUser = z.infer<typeof SubscriptionUser>

const SubscribeDetail = z.object({
  appName: z.string(),
  appCode: z.string(),
  orgCode: z.string(),
  /** Users that match the search. */
  total: z.int(),
  /** The caller's own type. */
  userType: SeatType,
  /** Seats paid. */
  userCount: z.int(),
  /** Seats taken: used, or held by invitations. */
  joinCount: z.int(),
  /** How many of them are held by invitations. */
  heldCount: z.int(),
  /** When the first of these invitations lapses, ISO 8601; empty: there is none. */
  heldUntil: z.string(),
  /** 1: users can be added. 0: the subscription gives no access any more. */
  canAdd: Flag,
  /** 1: the product has Setup Admins; 0: Members only (001 §4, the AI assistant). */
  hasSetupAdmins: Flag,
})

/** Users of a subscription (001 §7: sid, page, pageSize), for those who manage it; the Owner first. */
export const listSubscriptionUsers = endpoint({
  method: 'GET',
  path: '/account/subscriptions/:sid/users/',
  summary: 'Users of a subscription',
  params: z.object({ sid: SubscriptionId }),
  query: PageQuery.extend({
    /** A part of the email address. */
    keyWord: Line(100).default(''),
  }),
  support: 'read',
  reply: z.object({ subscribeDetail: SubscribeDetail, allData: z.array(SubscriptionUser) }),
  problems: { not_manager: 403 },
})

const UserEmail = EmailAddress()

const common = {
  /** The subscription's `orgCode`, as the page has it; it may be empty. */
  orgCode: z.string().max(100),
  /** The language of the emails where the person's own is unknown. */
  lang: LocaleCode,
}

/** The row has changed since the page was loaded: the fresh one, or null if the person is no longer a user. */
const stale = { status: 409, data: z.object({ user: SubscriptionUser.nullable() }) } as const

/** Problems of all calls that change a user. */
const refusals = { not_manager: 403, not_allowed: 403, subscription_ended: 409, stale } as const

/** What became of each address of an invitation. */
export const InvitationResult = z.enum([
  'invited',
  'already_member',
  'no_seat',
  /** So many people are invited as Setup Admins already, and have not accepted. */
  'too_many_setup_admins',
  'own_address',
  'invalid',
  'too_often',
])
export type InvitationResult = z.infer<typeof InvitationResult>

/** Invites people (001 §7, "add users"): those who can be are, and the answer says what became of each. */
export const addSubscriptionUsers = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/users/',
  summary: 'Invite people to a subscription',
  params: z.object({ sid: SubscriptionId }),
  body: z.object({
    ...common,
    /** Each is answered by itself, also one that is not an address. */
    emailList: z
      .array(z.string().overwrite(emailForm).max(1000))
      .min(1, 'email_required')
      .max(maxInvitations, 'too_many_invitations'),
    setupType: z.enum(['member', 'setup-admin'], 'role_required'),
    /** Whether they are to be Setup Admins: true with `setup-admin`. */
    type: z.boolean(),
  }),
  reply: z.object({ results: z.array(z.object({ email: z.string(), result: InvitationResult })) }),
  problems: { ...refusals, no_setup_admins: 409 },
})

/** Sends an invitation again, with a new link and for seven days more (001 §7). */
export const resendInvitation = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/users/resend/',
  summary: 'Send an invitation again',
  params: z.object({ sid: SubscriptionId }),
  body: z.object({
    ...common,
    email: UserEmail,
    /** 1: the page has the person as a Setup Admin. */
    setupAdmin: Flag,
  }),
  reply: SubscriptionUser,
  /** `invitation_just_sent`: less than a minute ago; `Retry-After` says when it can be sent again. */
  problems: { ...refusals, no_seat: 409, too_many_setup_admins: 409, invitation_just_sent: 429 },
})

/**
 * Turns a Member into a Setup Admin, and a Setup Admin or Admin into a Member (001 §4, §7). One person's role is changed by one manager at most
 * five times in a day (`too_often`).
 */
export const changeUserRole = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/users/role/',
  summary: 'Change the role of a user',
  params: z.object({ sid: SubscriptionId }),
  body: z.object({
    ...common,
    email: UserEmail,
    /** The new role code. */
    type: z.union([z.literal(seatTypes.member), z.literal(seatTypes.setupAdmin)]),
    /** 1: the page has the person as a Setup Admin now. */
    setupAdmin: Flag,
    distributionUuid: z.uuid(),
  }),
  reply: SubscriptionUser,
  problems: { ...refusals, no_seat: 409 },
})

/** The Owner takes a license of their own subscription, or gives it up (001 §4, §7). */
export const switchUserLicense = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/users/license/',
  summary: 'Activate or deactivate the Owner’s license',
  params: z.object({ sid: SubscriptionId }),
  body: z.object({
    ...common,
    appCode: z.string().max(64),
    email: UserEmail,
    /** 1 activates, 0 deactivates. */
    type: Flag,
    distributionUuid: z.uuid(),
  }),
  reply: SubscriptionUser,
  problems: { ...refusals, no_seat: 409 },
})

const removal = {
  params: z.object({ sid: SubscriptionId }),
  body: z.object({
    ...common,
    email: UserEmail,
    /** 1: the page has the person as a Setup Admin. */
    setupAdmin: Flag,
    /** 1 withdraws an invitation, 0 removes a person. */
    type: Flag,
    distributionUuid: z.uuid(),
  }),
}

/** At most so many licenses are listed before a person is removed. */
export const maxListedLicenses = 20

/** What removing a person does, and what it leaves as it is. */
export const UserRemoval = z.object({
  email: z.string(),
  /** 1: a seat becomes free. The paid quantity stays. */
  freesSeat: Flag,
  /** Active devices of the subscription that the person can no longer use, newest first. */
  devices: z.array(z.object({ id: z.uuid(), hostName: z.string(), appName: z.string() })),
  /** Licenses of which the caller is the Holder and in which the person is named, newest first. They stay unchanged. */
  licenses: z
    .array(z.object({ licenseId: z.string(), productName: z.string(), sku: z.string() }))
    .max(maxListedLicenses),
  /** How many such licenses there are. */
  licenseTotal: z.int(),
  /** Other subscriptions whose users the caller manages, and of which the person is a user. They stay unchanged. */
  otherTeams: z.array(z.object({ sid: SubscriptionId, appName: z.string() })),
})
export type UserRemoval = z.infer<typeof UserRemoval>

/** What `removeSubscriptionUser` would do with the same body; it changes nothing. */
export const previewUserRemoval = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/users/removal/',
  summary: 'What removing a user does',
  ...removal,
  reply: UserRemoval,
  problems: refusals,
})

/** Removes a person, or withdraws an invitation (001 §4, §7), and answers what that did. */
export const removeSubscriptionUser = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/users/remove/',
  summary: 'Remove a user, or withdraw an invitation',
  ...removal,
  reply: UserRemoval,
  problems: refusals,
})
