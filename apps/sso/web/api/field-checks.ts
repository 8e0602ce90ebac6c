import { emailFault, emailForm } from '@atrium/contract/email.ts'
import { codeDigits } from '@atrium/contract/email-code.ts'

/** Checks that need no server, by error code. The server reports all other faults with the same codes. */
export function emailCode(email: string): string | undefined {
  return emailFault(emailForm(email))
}

export function requiredCode(code: string): (text: string) => string | undefined {
  return (text) => (text.trim() === '' ? code : undefined)
}

export function passwordCode(password: string): string | undefined {
  return password === '' ? 'password_required' : undefined
}

export function newPasswordCode(password: string): string | undefined {
  if (password === '') return 'password_required'
  const { length } = [...password.normalize('NFC')]
  if (length < 8) return 'password_too_short'
  return length > 128 ? 'password_too_long' : undefined
}

export function codeCode(code: string): string | undefined {
  return /^\d{6}$/.test(codeDigits(code)) ? undefined : 'code_required'
}

/** Whether two passwords are equal after Unicode normalization, as on the server. */
export function isSamePassword(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC')
}
