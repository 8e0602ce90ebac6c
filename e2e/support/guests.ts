import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Accounts for the journeys, one each, so that they do not affect each other. */
const guests = 250

const guestPassword = 'Guest-password-1'

/** Of that password: hashing it for each of them takes longer than most journeys. */
const passwordHash = '$argon2id$v=19$m=19456,p=1,t=2$RB5O11l5V2dLWE0yJOsNUA$CsvSyVkJnMryja6XsAvkKPCf7rQhEgz7xC9I29v99ZE'

export interface Guest {
  email: string
  password: string
  firstName: string
  lastName: string
}

/** Records of a file for `npm run accounts`, and of one for `npm run import`. */
export function guestRecords(): { accounts: object[]; members: object[] } {
  const people = Array.from({ length: guests }, (_, index) => {
    const { email, firstName, lastName } = guest(index)
    return { email, firstName, lastName }
  })
  const known = { phone: '030 901820', company: 'Guest Books', country: 'DE' }
  return {
    accounts: people.map((person) => ({ type: 'account', ...person, emailVerified: true, passwordHash })),
    members: people.map((person) => ({ type: 'member', ...person, ...known })),
  }
}

/** A guest that no journey of this run has used. Creating its folder is the atomic claim. */
export async function newGuest(): Promise<Guest> {
  const directory = process.env.ATRIUM_E2E_DIRECTORY ?? ''
  for (let index = 0; index < guests; index += 1) {
    const claimed = await mkdir(join(directory, `guest-${index}`)).then(
      () => true,
      () => false,
    )
    if (claimed) return guest(index)
  }
  throw new Error('more journeys than guests')
}

function guest(index: number): Guest {
  return { email: `guest-${index}@folio.test`, password: guestPassword, firstName: 'Gesa', lastName: `Nr ${index}` }
}
