import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Accounts for the journeys, one each, so that they do not affect each other. */
const guests = 250

export const guestPassword = 'Guest-password-1'

export interface Guest {
  email: string
  password: string
  firstName: string
  lastName: string
}

export function guestRecords(): object[] {
  return Array.from({ length: guests }, (_, index) => {
    const { email, firstName, lastName } = guest(index)
    return {
      type: 'member',
      email,
      firstName,
      lastName,
      phone: '030 901820',
      company: 'Guest Books',
      country: 'DE',
    }
  })
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
