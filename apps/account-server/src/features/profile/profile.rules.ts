import type { MemberProfile } from '@atrium/contract/profile.ts'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { grantedUntil } from '../../db/members.rules.ts'
import type { members } from '../../db/members.tables.ts'

type MemberRow = typeof members.$inferSelect

/** The fields of a member that are sent. */
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

/** Cache of formatted numbers: a profile is read at every visit, and hardly ever changes. */
const formatted = new Map<string, string>()
const mostFormatted = 10_000

/** `(555) 010-0199` in the US → `+1 555 010 0199`; an invalid number stays as entered. */
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
