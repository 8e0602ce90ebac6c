import { z } from 'zod'
import { addressLimits, streetCountries } from '../addresses.ts'
import { profileLimits } from '../profile.ts'
import { ProviderCustomerId } from '../provider-ids.ts'
import { Country, Email, EpochTime, Instant, Text } from './fields.ts'

export const MemberRecord = z
  .strictObject({
    type: z.literal('member'),
    email: Email.describe(
      'The vendor’s word, which nobody checks here: whoever first signs in with the same verified address gets what the file says is theirs',
    ),
    firstName: Text(profileLimits.name).default(''),
    lastName: Text(profileLimits.name).default(''),
    phone: Text(profileLimits.phone).default('').describe('As it was typed, with or without the country’s prefix'),
    company: Text(profileLimits.company).default(''),
    country: Country.or(z.literal('')).default(''),
    grantLoginExpireTime: EpochTime.default(0).describe(
      'Until when the support may look into the account. Of a new member alone: afterwards it is theirs to say',
    ),
    overwrite: z
      .boolean()
      .default(false)
      .describe('Whether fields that the customer changed in the profile since the last import take the line’s values'),
  })
  .meta({
    description:
      'A customer. Of one who is there already, a field that the line leaves empty stays as it is, and so does one that the customer changed in the profile, unless the line says `overwrite`.',
    naturalKey: ['email'],
  })

export const AddressRecord = z
  .strictObject({
    type: z.literal('address'),
    addressId: Text(64).min(1).describe('Of the vendor’s own system'),
    email: Email.describe('Of its member, imported before. Names and contact are the profile’s'),
    country: Country,
    state: Text(addressLimits.state)
      .default('')
      .describe('A code of the country’s list, ISO 3166-2 without the country: `CA`, `BE`. Empty where there is none'),
    city: Text(addressLimits.city).default(''),
    zip: Text(addressLimits.zip).min(1),
    address: Text(addressLimits.address).default('').describe('Street and number'),
    created: Instant.describe('Addresses are listed by it, the newest first'),
    overwrite: z
      .boolean()
      .default(false)
      .describe('Whether an address that the customer changed or deleted takes the line’s values'),
  })
  .superRefine((address, context) => {
    if (!streetCountries.includes(address.country)) return
    for (const field of ['address', 'city', 'state'] as const) {
      const message = `is missing: it is needed in ${address.country}`
      if (address[field] === '') context.addIssue({ code: 'custom', path: [field], message })
    }
  })
  .meta({
    description: `A billing address. A member’s first one becomes the default, and at most ten are taken in. In ${streetCountries.join(', ')} \`address\`, \`city\` and \`state\` are needed. What the customer changed or deleted here is theirs for as long as activity is kept (\`ACTIVITY_DAYS\`): lines about it change nothing, unless they say \`overwrite\`.`,
    naturalKey: ['email', 'addressId'],
  })

export const ProviderCustomerRecord = z
  .strictObject({
    type: z.literal('provider-customer'),
    email: Email.describe('Of a member, imported before'),
    customerId: ProviderCustomerId.meta({ shape: 'text like `cus_…`' }).describe(
      'The card provider’s id of the customer',
    ),
    main: z
      .boolean()
      .default(false)
      .describe(
        'Whether cards are put on file there and new purchases begin there; the first customer is it until another one is',
      ),
  })
  .meta({
    description:
      'Who a member is at the card provider, for a vendor who has customers there already: their cards show at once. A customer belongs to one member, who may have several. One of which the member has said that it is not theirs is refused.',
    naturalKey: ['customerId'],
  })
