/** The checks that need no server. Everything else the server says, by the same codes. */
export function emailFault(email: string): string | undefined {
  if (email.trim() === '') return 'email_required'
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'email_invalid'
}

export function newPasswordFault(password: string): string | undefined {
  if (password === '') return 'password_required'
  const { length } = [...password.normalize('NFC')]
  if (length < 8) return 'password_too_short'
  return length > 128 ? 'password_too_long' : undefined
}

/** Whether two passwords are one: the same characters from another keyboard are (as the server compares them). */
export function isSamePassword(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC')
}

/** Only the fields that have a fault, in the order of the form. */
export function faultsOf<Field extends string>(
  found: Readonly<Record<Field, string | undefined>>,
): Partial<Record<Field, string>> {
  const faults: Partial<Record<Field, string>> = {}
  for (const field in found) {
    const code = found[field]
    if (code) faults[field] = code
  }
  return faults
}
