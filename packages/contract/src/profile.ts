import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocaleCode } from './locale.ts'
import { Line, RequiredLine } from './text.ts'

/** 000 §9, in characters. */
export const profileLimits = { name: 32, phone: 32, company: 256 } as const

/** Member profile, 000 §3. */
export const MemberProfile = z.object({
  memEmail: z.string(),
  memFirstName: z.string(),
  memLastName: z.string(),
  /** As entered. */
  memPhone: z.string(),
  /** The same number in international form, or as entered if it is not a valid number. */
  memPhoneInternational: z.string(),
  memCompany: z.string(),
  /** ISO 3166-1 alpha-2, or empty. */
  memCountryCode: z.string(),
  /** Epoch seconds; 0 if nothing was granted. */
  grantLoginExpireTime: z.int(),
})
export type MemberProfile = z.infer<typeof MemberProfile>

/** 000 §3: code (ISO 3166-1 alpha-2) and name in the requested language. */
export const Country = z.object({ code: z.string(), name: z.string() })

export const ProfileEdit = z.object({
  firstName: RequiredLine(profileLimits.name, 'first_name_required'),
  lastName: RequiredLine(profileLimits.name, 'last_name_required'),
  company: Line(profileLimits.company),
  phone: Line(profileLimits.phone),
})
export type ProfileEdit = z.infer<typeof ProfileEdit>

export const ProfileReply = z.object({ member: MemberProfile, countryList: z.array(Country) })
export type ProfileReply = z.infer<typeof ProfileReply>

export const readProfile = endpoint({
  method: 'GET',
  path: '/account/profile/',
  summary: 'Profile and country names',
  query: z.object({ lang: LocaleCode.default('en-us') }),
  support: 'read',
  reply: ProfileReply,
})

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/account/profile/',
  summary: 'Update the profile',
  body: ProfileEdit,
  reply: z.object({ member: MemberProfile }),
})
