import { z } from 'zod'
import { personalId } from '../cloud.ts'
import { SeatType } from '../seat-types.ts'
import { BillingTerm, maxConnectors, SubscriptionStatus } from '../subscriptions.ts'
import { Amount, Currency, Email, Instant, inOrder, PublicId, Text } from './fields.ts'

export const EnterpriseRecord = z
  .strictObject({
    type: z.literal('enterprise'),
    orgCode: Text(64)
      .min(1)
      .refine(
        (code) => code !== personalId,
        `must not be ${personalId}, which stands for personal use at the cloud service`,
      )
      .describe('The vendor’s own code of the organization, as its subscriptions have it; `0` stands for none'),
    name: Text(200).min(1).describe('Customers see it, and choose it when they open the cloud service'),
    consoleUrl: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .or(z.literal(''))
      .default('')
      .meta({ shape: 'https address' })
      .describe(
        'Its own admin console, where the host is one of `LINK_HOSTS`; empty: `ADMIN_CONSOLE_URL`, for products that have one',
      ),
  })
  .meta({ description: 'An organization that has subscriptions.', naturalKey: ['orgCode'] })

export const SubscriptionRecord = z
  .strictObject({
    type: z.literal('subscription'),
    subscriptionId: PublicId,
    email: Email.describe('Of its Owner, a member imported before'),
    productCode: Text(64).min(1).describe('Of the catalog'),
    status: SubscriptionStatus.exclude(['pending']).describe(
      '`active`, `trialing` and `past_due` (a payment failed) are paid online; `offline-purchase` is an offline one that runs, `prepayment-expired` one that ended; `given` is free; `canceled` has ended',
    ),
    userCount: z.int().min(1).max(1_000_000).describe('Seats paid. More seats taken than that are a warning'),
    origin: z.enum(['online', 'offline', 'given']).describe('Bought in the store, outside it, or not bought'),
    channel: z.enum(['card', 'paypal', 'invoice']).describe('How it is paid'),
    autoRenewal: z.boolean().default(false).describe('Not of a prepaid `term`'),
    periodStart: Instant.describe('Of the current period'),
    periodEnd: Instant.optional().describe('Of the current period, not before its start; left out: it has no end'),
    trialEnd: Instant.optional().describe(
      'Not after `periodEnd`; one of the two is needed while `status` is `trialing`',
    ),
    cancelAt: Instant.optional().describe(
      'When it was told to end before its time, or not to renew: not after its period, unless that is a month of a commitment',
    ),
    pastDueSince: Instant.optional().describe(
      'When the payment first failed, not ahead: access ends `PAST_DUE_DAYS` later. Needed while `status` is `past_due`',
    ),
    endedAt: Instant.optional().describe('Not before `periodStart`'),
    orgCode: Text(64).default('').describe('The vendor’s own code of the organization'),
    created: Instant.optional().describe('Lists begin with the newest; left out: `periodStart`'),
    term: BillingTerm.optional().describe(
      '`paid_…` are prepaid, `yearly_paid_monthly` is a year paid by the month. Left out: nothing is billed',
    ),
    price: Amount.min(0).optional().describe('For a whole term and all seats, before tax. Needs `currency`'),
    currency: Currency.optional(),
    storageCapacity: z.int().min(0).max(1_000_000).default(0).describe('In TB'),
    connectors: z.int().min(0).max(maxConnectors).default(0).describe('eSign connectors'),
    parentId: PublicId.optional().describe(
      'Of an add-on: the subscription of the same customer with which it ends, imported before',
    ),
    priceHidden: z.boolean().default(false).describe('Bought through a partner: the price is not shown'),
    manageUrl: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .or(z.literal(''))
      .default('')
      .meta({ shape: 'https address' })
      .describe('Where it is managed instead of here, where the host is one of `LINK_HOSTS`'),
    envelopeSharing: z.boolean().default(false).describe('Whether it is enabled'),
  })
  .superRefine((subscription, context) => {
    inOrder(subscription, context, ['periodStart', 'periodEnd'])
    inOrder(subscription, context, ['periodStart', 'endedAt'])
    inOrder(subscription, context, ['trialEnd', 'periodEnd'])
    const { term, status } = subscription
    // Of a commitment the period is a month of it.
    if (term !== 'yearly_paid_monthly' && status !== 'canceled')
      inOrder(subscription, context, ['cancelAt', 'periodEnd'])
    if (status === 'trialing' && !subscription.trialEnd && !subscription.periodEnd) {
      context.addIssue({ code: 'custom', path: ['trialEnd'], message: 'is missing: a trial has an end' })
    }
    if (subscription.price !== undefined && subscription.currency === undefined) {
      context.addIssue({ code: 'custom', path: ['currency'], message: 'is missing: the price needs it' })
    }
    if (subscription.autoRenewal && subscription.term?.startsWith('paid_')) {
      context.addIssue({
        code: 'custom',
        path: ['autoRenewal'],
        message: 'is true: a prepaid term is renewed by nobody',
      })
    }
    if (subscription.status !== 'past_due' || subscription.pastDueSince !== undefined) return
    const message = 'is missing: access is counted from it while the status is past_due'
    context.addIssue({ code: 'custom', path: ['pastDueSince'], message })
  })
  .meta({
    description:
      'A subscription. One that a payment provider bills takes only what the provider does not know: `orgCode`, `parentId`, `priceHidden`, `manageUrl`, `envelopeSharing`. One of which the member has said that it is not theirs is refused.',
    naturalKey: ['subscriptionId'],
  })

export const SeatRecord = z
  .strictObject({
    type: z.literal('seat'),
    subscriptionId: PublicId.describe('Imported before'),
    email: Email.describe('Of a member, or of somebody who was invited and is not one yet'),
    seatType: SeatType.describe(
      '`0` Member, `1` Admin, `2` Owner (whom the subscription names, and nobody else), `3` Setup Admin, who takes no seat',
    ),
    status: z
      .enum(['Pending', 'Accepted'])
      .describe('`Pending`: invited, which holds a seat for seven days. `Accepted`: the e-mail is a member’s'),
    isUse: z.boolean().describe('Whether a license is held'),
    invited: Instant,
  })
  .meta({
    description:
      'Somebody’s seat in a subscription, the Owner’s too. More seats taken than the subscription’s `userCount` are a warning.',
    naturalKey: ['subscriptionId', 'email'],
  })
