import { seatTypes } from '@atrium/contract/seat-types.ts'
import { expect, test } from 'vitest'
import {
  addressesFault,
  addressesIn,
  confirmationOf,
  doneText,
  effectOf,
  invalidAddresses,
  obstacleToAdding,
  toCorrect,
} from './team.rules.ts'

const { member, admin, setupAdmin } = seatTypes

test.each([
  ['of a Member', { type: member, isUse: 0, isExpired: 0 }, 'effect'],
  ['of a Setup Admin', { type: setupAdmin, isUse: 0, isExpired: 0 }, 'effectWithoutSeat'],
  ['that has lapsed', { type: member, isUse: 0, isExpired: 1 }, 'effectWithoutSeat'],
] as const)(
  'before an invitation %s is withdrawn, the dialog says whether a seat becomes free',
  (_whose, user, effect) => {
    expect(confirmationOf({ ...user, status: 'Pending' }, 'remove')).toBe('withdraw')
    expect(effectOf(user, 'withdraw')).toBe(effect)
  },
)

test('removing a person asks a question of its own', () => {
  expect(confirmationOf({ type: member, status: 'Accepted' }, 'remove')).toBe('remove')
})

test.each([
  [member, 'toSetupAdmin'],
  [setupAdmin, 'toMember'],
  [admin, 'adminToMember'],
] as const)('a change of role %s asks %s', (type, question) => {
  expect(confirmationOf({ type, status: 'Accepted' }, 'change-role')).toBe(question)
})

test.each([
  ['toSetupAdmin', member, 1, 'effect'],
  ['toSetupAdmin', member, 0, 'effectWithoutLicense'],
  ['adminToMember', admin, 1, 'effect'],
  ['adminToMember', admin, 0, 'effectWithoutLicense'],
  ['toMember', setupAdmin, 0, 'effect'],
] as const)('%s (role %s, license %s) speaks of a license only where there is one', (question, type, isUse, effect) => {
  expect(effectOf({ type, isUse, isExpired: 0 }, question)).toBe(effect)
})

test('an invitation that was withdrawn is not called a removed user', () => {
  expect(doneText('withdraw')).toBe('withdrawn')
  expect(doneText('adminToMember')).toBe('roleChanged')
})

test.each([
  ['a@x.test, b@x.test; c@x.test\nd@x.test', ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test']],
  ['a@x.test、b@x.test，c@x.test；d＠x.test', ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test']],
  ['ｄ@x.test\u200b, ﬁnn@x.test', ['ｄ@x.test', 'ﬁnn@x.test']],
  ['info@bücher.example, Info@xn--bcher-kva.example', ['info@xn--bcher-kva.example']],
  ['a@x.test b@x.test', ['a@x.test', 'b@x.test']],
  ['john smith@x.test, b@x.test', ['john smith@x.test', 'b@x.test']],
  ['A@x.test,a@x.test, ,\r\n', ['a@x.test']],
  ['Eva Klein <eva@x.test>; "Klein, Udo" <udo@x.test>, b@x.test', ['eva@x.test', 'udo@x.test', 'b@x.test']],
  ['<eva@x.test>\r\nUdo < udo@x.test >', ['eva@x.test', 'udo@x.test']],
  ['a@x.test Eva <eva@x.test>', ['a@x.test Eva <eva@x.test>']],
  ['"Klein, eva@x.test', ['"Klein', 'eva@x.test']],
  ['Eva <eva>', ['eva']],
])('of %j, what is meant is invited, and half an address is not', (typed, addresses) => {
  expect(addressesIn(typed)).toEqual(addresses)
})

test.each([
  [[], 'email_required'],
  [['a@x.test'], undefined],
  [['a@x.test', 'bob@', 'b@x.test'], 'email_invalid'],
  [Array(11).fill('bob@'), 'too_many_invitations'],
])('a list like %j is sent, or refused with %s', (addresses, fault) => {
  expect(addressesFault(addresses)).toBe(fault)
})

test('a list with bad addresses names each of them', () => {
  expect(invalidAddresses(['a@x.test', 'bob@', 'b@x.test', 'john smith@x.test'])).toEqual(['bob@', 'john smith@x.test'])
})

test('of refused addresses, those come back into the form that can be corrected or invited later', () => {
  const results = [
    { email: 'a@x.test', result: 'invited' },
    { email: 'bad@', result: 'invalid' },
    { email: 'b@x.test', result: 'already_member' },
    { email: 'me@x.test', result: 'own_address' },
    { email: 'c@x.test', result: 'no_seat' },
  ] as const
  expect(toCorrect(results)).toBe('bad@, c@x.test')
  expect(toCorrect(results.slice(2, 4))).toBe('')
})

test('why nobody can be added comes before that no seat is free', () => {
  expect(obstacleToAdding({ canAdd: 1, joinCount: 2, userCount: 3 })).toBeUndefined()
  expect(obstacleToAdding({ canAdd: 1, joinCount: 3, userCount: 3 })).toBe('full')
  expect(obstacleToAdding({ canAdd: 0, joinCount: 3, userCount: 3 })).toBe('closed')
})

test.each([0, 1] as const)('of more seats than are paid, that is said (canAdd %i)', (canAdd) => {
  expect(obstacleToAdding({ canAdd, joinCount: 4, userCount: 1 })).toBe('overused')
})
