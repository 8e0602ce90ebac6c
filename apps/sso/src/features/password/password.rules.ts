import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusedField } from '@atrium/server-kit/problem.ts'
import { isWholeText } from '@atrium/server-kit/text.ts'
import { hashOf } from '../../secrets.ts'
import { composed } from '../accounts/accounts.rules.ts'

export const passwordLength = { min: 8, max: 128 } as const

export type PasswordProblem = 'password_too_short' | 'password_too_long' | 'password_common' | 'broken_text'

/** The fault of a new password, or `undefined`. Characters are counted as code points. */
export function passwordProblem(password: string): PasswordProblem | undefined {
  if (!isWholeText(password)) return 'broken_text'
  const { length } = [...composed(password)]
  if (length < passwordLength.min) return 'password_too_short'
  if (length > passwordLength.max) return 'password_too_long'
  if (commonPasswords().has(password.toLowerCase())) return 'password_common'
  return undefined
}

/** @throws Problem `invalid`, naming the field and the rule. */
export function refuseWeakPassword(password: string): void {
  const code = passwordProblem(password)
  if (code) throw refusedField('password', code)
}

let known: ReadonlySet<string> | undefined

function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(
    readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
  return known
}

/** The name under which a reset token is stored. */
export function resetIdentifier(token: string): string {
  return `reset-password:${hashOf(token)}`
}
