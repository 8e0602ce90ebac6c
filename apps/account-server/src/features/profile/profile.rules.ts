import type { MemberProfile } from '@atrium/contract/profile.ts'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { grantedUntil } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'

type MemberRow = typeof members.$inferSelect

/** The allow-list of what leaves of a member. */
export function profileOf(row: MemberRow, now: Date): MemberProfile {
  return {
    memEmail: row.email,
    memFirstName: row.firstName,
    memLastName: row.lastName,
    memPhone: row.phone,
    memPhoneInternational: internationalPhone(row.phone, row.countryCode),
    memCompany: row.company,
    memCountryCode: row.countryCode,
    grantLoginExpireTime: grantedUntil(row.supportAccessUntil, now),
  }
}

/** Numbers that were formatted lately: a profile is read at every visit, and its number hardly ever changes. */
const formatted = new Map<string, string>()
const mostFormatted = 10_000

/** `(555) 010-0199` of somebody in the US → `+1 555 010 0199`; what is no number stays as it was typed. */
export function internationalPhone(phone: string, countryCode: string): string {
  if (phone === '') return ''
  const key = `${countryCode} ${phone}`
  const known = formatted.get(key)
  if (known !== undefined) return known

  const number = parsePhoneNumberFromString(phone, isCountry(countryCode) ? countryCode : undefined)
  const text = number?.isPossible() ? number.formatInternational() : phone
  if (formatted.size >= mostFormatted) formatted.clear()
  formatted.set(key, text)
  return text
}

function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code)
}
