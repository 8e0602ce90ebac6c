import { expect, test } from 'vitest'
import { lastMoment } from './open-change.rules.ts'

const at = (time: string) => new Date(`2026-06-01T${time}Z`)

test.each([
  ['hours ahead', '08:00:00', '23:00:00', '22:50:00'],
  ['twenty minutes ahead', '08:00:00', '08:20:00', '08:10:00'],
  ['four minutes ahead, half of them', '08:00:00', '08:04:00', '08:02:00'],
  ['over already', '08:05:00', '08:00:00', '08:00:00'],
])('a change is given up before the provider’s deadline: %s', (_name, now, expiresAt, wanted) => {
  expect(lastMoment(at(expiresAt), at(now))).toEqual(at(wanted))
})
