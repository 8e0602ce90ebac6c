import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressSubject, readReference, signReference } from './account-reference.rules.ts'

const secret = 'a secret that the shop and the account area share'
const other = 'another secret that the shop and the account area have'
const [madeAt, expiresAt] = [new Date('2026-06-01T12:00:00Z'), new Date('2026-06-01T12:30:00Z')]

test('a signed reference names a member, or the hash of an address, and fits PayPal’s custom id', () => {
  const memberId = randomUUID()
  const named = signReference(secret, { subject: memberId, expiresAt })
  expect(readReference(named, { secrets: [other, secret], madeAt })).toEqual({ memberId })

  const hashed = signReference(secret, { subject: addressSubject('ada@example.test'), expiresAt })
  const emailHash = Buffer.from(addressSubject('ada@example.test'), 'base64url')
  expect(readReference(hashed, { secrets: [secret], madeAt })).toEqual({ emailHash })
  for (const reference of [named, hashed]) expect(reference).toMatch(/^[!-~]{1,127}$/)
})

test.each([
  ['of another secret', (reference: string) => reference, { secrets: [other] }],
  ['without a secret', (reference: string) => reference, { secrets: [] }],
  ['of what was made after its end', (reference: string) => reference, { madeAt: new Date('2026-06-01T12:30:01Z') }],
  ['with another subject', (reference: string) => reference.replace(/[0-9a-f]{8}-/, '00000000-'), {}],
  ['with a later end', (reference: string) => reference.replace(/\.(\d+)\./, '.99999999999.'), {}],
  ['with more behind it', (reference: string) => `${reference} `, {}],
  ['of a later version', (reference: string) => reference.replace('a1.', 'a2.'), {}],
])('a reference %s is none', (_what, change, rules) => {
  const reference = change(signReference(secret, { subject: randomUUID(), expiresAt }))
  expect(readReference(reference, { secrets: [secret], madeAt, ...rules })).toBeUndefined()
})

test('an example that a shop in another language can compare with', () => {
  const expiry = { expiresAt: new Date(1_780_318_800_000) }
  expect(signReference(secret, { subject: addressSubject('ada@example.test'), ...expiry })).toMatchInlineSnapshot(
    `"a1.uXIi6mna33krqpf6do7LhAoAI3FMgxqxMog4y6n39Dc.1780318800.DM_suIFtv3TrD3o0E5E8LM_bTBQrkm931yHuK0NNoXo"`,
  )
})
