import { z } from 'zod'
import { hasHiddenMark, withoutEnds } from './text.ts'

/**
 * An e-mail address: zod's own pattern, which lacks internationalized top-level domains (`xn--p1ai`). At most 254 characters
 * (RFC 5321).
 */
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/

/** Codes: nothing; a mark that is not seen; letters before the @ that not every mail server knows; anything else. */
export type EmailFault = 'email_required' | 'email_hidden_mark' | 'email_letters' | 'email_invalid'

/**
 * The one form of an address, in which it is compared, stored, shown and written to: in lower case, its domain as in the domain name
 * system (`info@xn--bcher-kva.example`), without what stands around it. What is not an address stays as it was typed: it would
 * otherwise become somebody else's.
 */
export function emailForm(typed: string): string {
  const text = withoutEnds(typed)
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  const form = isAscii(local) ? `${local.toLowerCase()}@${asciiDomain(domain)}` : text
  return emailPattern.test(form) ? form : text
}

/** Why it is not an address in its one form. */
export function emailFault(email: string): EmailFault | undefined {
  if (email.length <= 254 && emailPattern.test(email)) return undefined
  if (email === '') return 'email_required'
  if (hasHiddenMark(email)) return 'email_hidden_mark'
  // Many such letters become others in lower case or in a compatible form: whose mailbox it is would be a guess.
  return isAscii(email.slice(0, email.lastIndexOf('@'))) ? 'email_invalid' : 'email_letters'
}

/** An address in its one form. @param reasonOf a text for a fault, instead of its code */
export function EmailAddress(reasonOf: (fault: EmailFault) => string = (fault) => fault) {
  return z
    .string()
    .overwrite(emailForm)
    .superRefine((email, context) => {
      const fault = emailFault(email)
      if (fault) context.addIssue({ code: 'custom', message: reasonOf(fault) })
    })
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}

/** Letters, digits and dots only: an address of the web would also take what is not part of a domain. */
const unicodeDomain = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]{1,254}$/u

function asciiDomain(domain: string): string {
  if (isAscii(domain)) return domain.toLowerCase()
  if (!unicodeDomain.test(domain) || hasHiddenMark(domain)) return domain
  return URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`).hostname : domain
}
