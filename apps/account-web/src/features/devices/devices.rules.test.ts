import { expect, test } from 'vitest'
import { stateOf } from './devices.rules.ts'

test.each([
  ['a valid device that may be deactivated', { status: 0, canDeactivate: 1, earlierVersionTip: 0 }, 'removable'],
  ['a valid one of version 11 or earlier', { status: 0, canDeactivate: 0, earlierVersionTip: 1 }, 'earlier'],
  ['a valid one that may not', { status: 0, canDeactivate: 0, earlierVersionTip: 0 }, 'locked'],
  ['one that is not valid', { status: 1, canDeactivate: 0, earlierVersionTip: 0 }, 'inactive'],
  ['one that is not valid, of an earlier version', { status: 2, canDeactivate: 0, earlierVersionTip: 1 }, 'inactive'],
] as const)('%s is %j: %s', (_name, device, state) => {
  expect(stateOf(device)).toBe(state)
})
