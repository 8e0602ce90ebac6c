import type { ProfileReply } from '@atrium/contract/profile.ts'

/** The country's name in the page's language; the code itself where the list has no name. */
export function countryName({ member, countryList }: ProfileReply): string {
  const country = countryList.find(({ code }) => code === member.memCountryCode)
  return country?.name ?? member.memCountryCode
}
