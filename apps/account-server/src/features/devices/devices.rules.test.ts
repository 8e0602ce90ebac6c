import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activationRecord } from './activation-record.ts'
import { deactivationAllowance, deactivationRefusal, isEarlierVersion } from './devices.rules.ts'

test('a key has three deactivations a year, or two per seat if that is more', () => {
  const settings = { atLeast: 3, perSeat: 2 }
  expect([1, 2, 3, 25].map((seats) => deactivationAllowance(seats, settings))).toEqual([3, 4, 6, 50])
})

test('versions are compared as numbers, not as text', () => {
  expect(['11.9.9', '9.0', '2', '11'].every(isEarlierVersion)).toBe(true)
  expect(['12', '12.0.0', '13.1.0', '100.1'].some(isEarlierVersion)).toBe(false)
})

test('the first applicable reason is returned', () => {
  const key = { isValid: true, deactivationsLeft: 1 }
  const device = { appVersion: '13.1.0', deactivatedAt: null }
  expect(deactivationRefusal(key, device)).toBeUndefined()
  expect(deactivationRefusal({ ...key, deactivationsLeft: 0 }, device)).toBe('no_deactivations_left')
  expect(deactivationRefusal({ isValid: false, deactivationsLeft: 0 }, device)).toBe('license_expired')
  expect(deactivationRefusal(key, { ...device, appVersion: '11.2' })).toBe('earlier_version')
  expect(deactivationRefusal(key, { appVersion: '11.2', deactivatedAt: new Date() })).toBe('device_not_active')
})

test.each(["STUDIO;=cmd|'/C calc'!A1; -1\t+2", `STUDIO;"=cmd|'/C calc'!A1;" "@x`])(
  'no cell of the record begins as a formula, whatever separates cells: %s',
  (pcName) => {
    const device = { id: 'x', macAddress: 'm', requestedAt: new Date(0), deactivatedAt: null }
    const record = activationRecord('sn', [{ ...device, pcName }])
    // A quote that is closed at once, and what follows it, are one cell.
    const cells = record.split(/[,;\t\r\n]/).map((cell) => cell.replaceAll('"', '').trim())
    expect(cells.filter((cell) => /^[=+@-]/.test(cell))).toEqual([])
  },
)

test('no cell of the record begins as a formula, whatever the computer’s name', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('=', '+', '-', '@', '\t', '\r'), (name, start) => {
      // That is a number.
      fc.pre(!/^-\d+(\.\d+)?$/.test(start + name))
      const device = {
        id: 'x',
        macAddress: 'm',
        requestedAt: new Date(0),
        deactivatedAt: null,
        pcName: start + name,
      }
      const [, row = ''] = activationRecord('sn', [device]).split('\r\nsn,')
      const cell = row.replace(/^"/, '')
      expect(cell.startsWith("'")).toBe(true)
    }),
  )
})
