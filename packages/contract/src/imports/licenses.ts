import { z } from 'zod'
import { ActivationMethod, Relationship, UserRole } from '../licenses.ts'
import { Email, EpochTime, Instant, inOrder, PublicId, Text } from './fields.ts'

export const LicenseRecord = z
  .strictObject({
    type: z.literal('license'),
    licenseId: PublicId,
    subscriptionId: PublicId.optional().describe('Of a subscription’s license'),
    productCode: Text(64).min(1).optional().describe('Of the catalog'),
    seats: z.int().min(1).max(1_000_000).optional(),
    expirationDate: EpochTime.optional().describe('`0`: perpetual. Not before `created`'),
    version: Text(40).default(''),
    edition: Text(100).default(''),
    language: Text(40).default('').describe('As it is shown: `English`'),
    platform: Text(40).default('').describe('As it is shown: `Windows`'),
    created: Instant,
    revoked: Instant.optional().describe('When the vendor took it back; not before `created`'),
    activationMethod: ActivationMethod.describe('`keycode`: devices are activated with a key; `email`: by signing in'),
    acLiceId: Text(64).default('').describe('Of a license that can be converted to the new admin console'),
  })
  .superRefine((license, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    for (const field of ['productCode', 'seats', 'expirationDate'] as const) {
      const isOfSubscription = license.subscriptionId !== undefined
      const isGiven = license[field] !== undefined
      if (!isOfSubscription && !isGiven) refuse(field, 'is missing: the license is not of a subscription')
      if (isOfSubscription && isGiven) refuse(field, 'must be left out: it is the subscription’s')
    }
    inOrder(license, context, ['created', 'revoked'])
    if (license.expirationDate && license.expirationDate * 1000 < Date.parse(license.created)) {
      refuse('expirationDate', 'is before created')
    }
  })
  .meta({
    description:
      'A license. With `subscriptionId` it is that subscription’s, and `productCode`, `seats` and `expirationDate` are left out, since the subscription has them; without, all three are needed.',
    naturalKey: ['licenseId'],
  })

export const LicenseContactRecord = z
  .strictObject({
    type: z.literal('license-contact'),
    licenseId: PublicId.describe('Imported before'),
    email: Email.describe('Of a member, imported before'),
    relationship: Relationship.describe(
      '`Holder`: gets keys and manages devices. `Partner`, `Contact`: see the license. Of a subscription’s license the Owner is the Holder, whatever stands here; whom your file had named the Owner before a transfer is refused, and once the subscription turns out to be somebody else’s, this is gone',
    ),
    userRole: UserRole.default('').describe(
      'What they are in the vendor’s books: `ship`, `bill`, `sold`, `commercial` or nothing. `bill` and `commercial` may buy',
    ),
  })
  .meta({ description: 'What a member is to a license.', naturalKey: ['licenseId', 'email'] })

export const LicenseKeyRecord = z
  .strictObject({
    type: z.literal('license-key'),
    key: Text(100).min(16).describe('16 characters or more'),
    licenseId: PublicId.describe('Imported before'),
    seats: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Devices it may activate at once; left out: as many as the license has seats'),
    revoked: Instant.optional().describe('When the vendor took it back'),
  })
  .meta({ description: 'A key of a license.', naturalKey: ['key'] })
