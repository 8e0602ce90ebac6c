import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type CompanyName, companies } from './companies.ts'

/** What a provider can do wrong in one sign-in. */
export const faults = {
  none: 'Nothing',
  audience: 'Its token is for another application',
  expired: 'Its token has expired',
  nonce: 'Its token belongs to another sign-in',
  signature: 'Its token is not signed with its key',
  issuer: 'Its answer names another provider',
} as const

/** The form of the stand-in's sign-in page. */
export const PersonForm = z.object({
  /** As free as the standard: not every address that a provider knows is one that the product takes. */
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email({ pattern: z.regexes.rfc5322Email }).max(254)),
  firstName: z.string().trim().max(60).default(''),
  lastName: z.string().trim().max(60).default(''),
  /** Whether the address is confirmed, was confirmed once in a mailbox of another host, is not confirmed, or not passed on. */
  sharing: z.enum(['confirmed', 'external', 'unconfirmed', 'none']).default('confirmed'),
  /** Tells several accounts with one address apart. */
  account: z.string().trim().max(60).default(''),
  realm: z.string().max(200).default(''),
  fault: z.enum(['none', 'audience', 'expired', 'nonce', 'signature', 'issuer']).default('none'),
})

export type Person = z.infer<typeof PersonForm> & { subject: string }

/** The same address has the same subject at each sign-in, also after a restart, and in each tenant and institution. */
export function subjectOf(company: CompanyName, { email, account = '' }: { email: string; account?: string }): string {
  const key = JSON.stringify([company, email, account])
  return createHash('sha256').update(key).digest('hex').slice(0, 24)
}

/** The people of a provider: known from their latest sign-in until the sandbox stops. */
export class People {
  private readonly bySubject = new Map<string, Person>()
  private readonly company: CompanyName

  constructor(company: CompanyName) {
    this.company = company
  }

  add(form: z.infer<typeof PersonForm>): Person {
    const person = { ...form, subject: subjectOf(this.company, form) }
    this.bySubject.set(person.subject, person)
    return person
  }

  find(subject: string): Person | undefined {
    return this.bySubject.get(subject)
  }

  /** The claims of a person, as this provider makes them. */
  claims(person: Person): { sub: string; [claim: string]: unknown } {
    const { confirmsEmail, realm } = companies[this.company]
    const chosen = realm?.choices.find(({ id }) => id === person.realm) ?? realm?.choices[0]
    return {
      sub: person.subject,
      name: `${person.firstName} ${person.lastName}`.trim(),
      given_name: person.firstName,
      family_name: person.lastName,
      ...(person.sharing !== 'none' && { email: person.email }),
      ...(person.sharing !== 'none' && confirmsEmail && { email_verified: person.sharing !== 'unconfirmed' }),
      // The organization whose mailboxes Google hosts.
      ...(person.sharing === 'confirmed' && this.company === 'google' && { hd: person.email.split('@')[1] }),
      ...(chosen && this.company === 'microsoft' && { tid: chosen.id }),
      ...(chosen && this.company === 'education' && { idp: chosen.id, idp_name: chosen.name }),
    }
  }
}
