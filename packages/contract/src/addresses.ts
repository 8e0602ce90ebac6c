import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { Line, RequiredLine } from './text.ts'

/** 000 §5. */
export const maxAddresses = 10

/** In characters. */
export const addressLimits = { address: 256, city: 100, state: 100, zip: 20 } as const

/** Countries where street and city are required too (000 §5). */
export const streetCountries: readonly string[] = ['MY', 'US', 'IN']

/** Billing address, 000 §3. */
export const BillingAddress = z.object({
  id: z.uuid(),
  /** ISO 3166-1 alpha-2. */
  orderBillCountry: z.string(),
  /** Code from the country's state list; empty if it has none. */
  orderBillState: z.string(),
  /** Name of that state; empty if there is none. */
  orderBillStateName: z.string(),
  orderBillCity: z.string(),
  orderBillZip: z.string(),
  orderBillAddress: z.string(),
  /** Names and contact are copied from the profile on saving. */
  orderBillFirstName: z.string(),
  orderBillLastName: z.string(),
  orderBillContactEmail: z.string(),
  /** Of the profile: it stands on invoices with every address. Empty: none. */
  company: z.string(),
  isDefaultAddress: Flag,
})
export type BillingAddress = z.infer<typeof BillingAddress>

/** What the member enters. Only the server knows whether a country has states (`state_required`). */
export const AddressEdit = z
  .object({
    orderBillCountry: z.string().regex(/^[A-Z]{2}$/, 'country_required'),
    orderBillState: Line(addressLimits.state).default(''),
    orderBillCity: Line(addressLimits.city).default(''),
    orderBillZip: RequiredLine(addressLimits.zip, 'zip_required'),
    orderBillAddress: Line(addressLimits.address).default(''),
    isDefaultAddress: Flag.default(0),
  })
  .superRefine((address, context) => {
    if (!streetCountries.includes(address.orderBillCountry)) return
    const missing = (path: keyof typeof address, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (address.orderBillAddress === '') missing('orderBillAddress', 'address_required')
    if (address.orderBillCity === '') missing('orderBillCity', 'city_required')
  })
export type AddressEdit = z.infer<typeof AddressEdit>

/** The default first, then the newest. Sent with the problems that depend on the list. */
const AddressList = z.object({ list: z.array(BillingAddress) })

export const listAddresses = endpoint({
  method: 'GET',
  path: '/account/billing-addresses/',
  summary: 'Billing addresses, the default first',
  support: 'read',
  reply: AddressList,
})

/** Country names in a language, and the states of one country sorted by name; empty if it has none. */
export const readAddressForm = endpoint({
  method: 'GET',
  path: '/account/billing-addresses/form/',
  summary: 'Countries, and the states of one, for the address dialog',
  query: z.object({
    lang: LocaleCode.default('en-us'),
    /** The country of the states. Default: the profile's. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
  }),
  reply: z.object({
    /** The country of `states`; empty if the profile has none. */
    country: z.string(),
    countryList: z.array(z.object({ code: z.string(), name: z.string() })),
    stateList: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
})

/** A member's first address becomes the default in any case. Answers the updated list. */
export const addAddress = endpoint({
  method: 'POST',
  path: '/account/billing-addresses/',
  summary: 'Add a billing address',
  body: AddressEdit,
  reply: AddressList,
  problems: { address_limit: { status: 409, data: AddressList } },
})

/** Replaces the address (000 §7); `isDefaultAddress` 1 makes it the default instead of the present one. */
export const updateAddress = endpoint({
  method: 'PUT',
  path: '/account/billing-addresses/:id/',
  summary: 'Change a billing address, or make it the default',
  params: z.object({ id: z.uuid() }),
  body: AddressEdit,
  reply: AddressList,
  problems: {
    /** The default can only be replaced by another one. */
    default_required: { status: 409, data: AddressList },
  },
})

export const deleteAddress = endpoint({
  method: 'DELETE',
  path: '/account/billing-addresses/:id/',
  summary: 'Delete a billing address',
  params: z.object({ id: z.uuid() }),
  reply: AddressList,
  problems: { default_required: { status: 409, data: AddressList } },
})
