import { seatTypes } from '@atrium/contract/seat-types.ts'
import { expect, test } from 'vitest'
import { confirmationOf, effectOf } from './team.rules.ts'

const { member, admin, setupAdmin } = seatTypes

test.each([
  ['a Member', { type: member, status: 'Accepted', isUse: 1, isExpired: 0 }, 'remove', 'effect'],
  ['a Setup Admin', { type: setupAdmin, status: 'Accepted', isUse: 0, isExpired: 0 }, 'remove', 'effectWithoutLicense'],
  [
    'a Member without one',
    { type: member, status: 'Accepted', isUse: 0, isExpired: 0 },
    'remove',
    'effectWithoutLicense',
  ],
  [
    'an Admin without a license',
    { type: admin, status: 'Accepted', isUse: 0, isExpired: 0 },
    'remove',
    'effectWithoutLicense',
  ],
  ['an invited Member', { type: member, status: 'Pending', isUse: 0, isExpired: 0 }, 'withdraw', 'effect'],
  [
    'an invited Setup Admin',
    { type: setupAdmin, status: 'Pending', isUse: 0, isExpired: 0 },
    'withdraw',
    'effectWithoutSeat',
  ],
  ['a lapsed invitation', { type: member, status: 'Pending', isUse: 0, isExpired: 1 }, 'withdraw', 'effectWithoutSeat'],
] as const)('before %s is removed, the dialog says whether a seat becomes free', (_who, user, confirmation, effect) => {
  expect(confirmationOf(user, 'remove')).toBe(confirmation)
  expect(effectOf(user, confirmation)).toBe(effect)
})

test.each([
  [member, 'toSetupAdmin'],
  [setupAdmin, 'toMember'],
  [admin, 'adminToMember'],
] as const)('a change of role %s asks %s', (type, question) => {
  expect(confirmationOf({ type, status: 'Accepted' }, 'change-role')).toBe(question)
})
