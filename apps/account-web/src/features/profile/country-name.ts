import type { ProfileReply } from '@atrium/contract/profile.ts'

/** The country's name in the page's language, or its code if the list lacks it. */
export function countryName({ member, countryList }: ProfileReply): string {
  const country = countryList.find(({ code }) => code === member.memCountryCode)
  return country?.name ?? member.memCountryCode
}
