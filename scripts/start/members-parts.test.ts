import { expect, test } from 'vitest'
import { membersParts } from './members-parts.ts'

const account = 'apps/account-server/src/commands/members.ts'
const signOn = 'apps/sso/src/commands/members.ts'

test('whoever comes back while an erasure runs is erased once the single sign-on knows nobody any more', () => {
  expect(membersParts(['erase', 'ada@example.test'])).toEqual([account, signOn, account])
})

test('a dry run, and what else is about a person, runs once in each program', () => {
  expect(membersParts(['erase', 'ada@example.test', '--dry-run'])).toEqual([account, signOn])
  expect(membersParts(['export', 'ada@example.test', '--to', 'folder'])).toEqual([account, signOn])
  expect(membersParts(['sessions', 'ada@example.test'])).toEqual([account, signOn])
  expect(membersParts(['link', 'ada@example.test', 'subject'])).toEqual([account])
  expect(membersParts([])).toEqual([account])
})
