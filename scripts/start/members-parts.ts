const account = 'apps/account-server/src/commands/members.ts'
const signOn = 'apps/sso/src/commands/members.ts'

/**
 * The programs of `npm run members -- NAME …`, in order. Both have something about a person; account-server refuses what must not be
 * erased, and runs first. Until the account at the single sign-on is gone, a page that is loaded again signs the erased person up again:
 * whoever came back in between is erased once nobody can any more.
 */
export function membersParts([name = '', ...parameters]: readonly string[]): string[] {
  if (name === 'erase') return [account, signOn, ...(parameters.includes('--dry-run') ? [] : [account])]
  return name === 'export' || name === 'sessions' ? [account, signOn] : [account]
}
