import { Email, Text } from '@atrium/contract/imports/fields.ts'
import { LocaleCode } from '@atrium/contract/locale.ts'
import { profileLimits } from '@atrium/contract/profile.ts'
import { z } from 'zod'
import { type HashProblem, hashProblem } from '../features/accounts/foreign-hashes.ts'

const reasons: Readonly<Record<HashProblem, string>> = {
  unknown: 'must be a hash of argon2 or scrypt as a PHC string, or of bcrypt',
  too_costly: 'takes more time or memory to compare than Atrium allows: that person has to set a new password',
}

/** An account of the system before, with the hash of its password. */
const AccountRecord = z.strictObject({
  type: z.literal('account'),
  email: Email,
  /**
   * Whether that system knows that the address is the person's. No default: taken for true, whoever typed somebody's address there would
   * get what that person bought.
   */
  emailVerified: z.boolean(),
  firstName: Text(profileLimits.name).default(''),
  lastName: Text(profileLimits.name).default(''),
  locale: LocaleCode.default('en-us'),
  passwordHash: Text(512).superRefine((hash, context) => {
    const problem = hashProblem(hash)
    if (problem) context.addIssue({ code: 'custom', message: reasons[problem] })
  }),
})

/** What a file for `npm run accounts -- FILE --with-hashes` may have. */
export const AccountRecords = z.discriminatedUnion('type', [AccountRecord])
