import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { afterEach, expect, test, vi } from 'vitest'
import { newPaypalWorld } from '../../../test/paypal.ts'
import { rollCertificate } from './certificates.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('every certificate can be read, also one whose random number begins with zeros', async () => {
  await using world = await newPaypalWorld()
  vi.spyOn(forge.random, 'getBytesSync').mockImplementation((count) => `\0${'\x01'.repeat(count - 1)}`)

  const { certificate } = await rollCertificate(world.db)

  expect(new X509Certificate(certificate).subject).toContain('messageverificationcerts.paypal.com')
})
