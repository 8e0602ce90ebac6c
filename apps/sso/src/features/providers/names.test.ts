import { randomUUID } from 'node:crypto'
import { startSandboxProgram } from '@atrium/server-kit/test-program.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { providersAt } from '../../test/person-at-provider.ts'
import { signInWith } from '../../test/provider-browser.ts'
import { newWorld } from '../../test/world.ts'
import { pendingIdentities } from '../session/pending-identities.tables.ts'
import { usableEmail } from './login-provider.ts'

const sandbox = await startSandboxProgram()
afterAll(() => sandbox[Symbol.asyncDispose]())

test.each(['google', 'facebook'] as const)('names of %s lose marks that are not seen', async (provider) => {
  await using world = await newWorld({ settings: providersAt(sandbox.url) })
  const email = `${randomUUID()}@example.test`
  await signInWith(world.browser(), {
    provider,
    person: { email, sharing: 'unconfirmed', firstName: '\u202eGrace', lastName: 'Oka\u2060for' },
  })
  const [pending] = await world.db.select().from(pendingIdentities).where(eq(pendingIdentities.email, email))
  expect(pending).toMatchObject({ firstName: 'Grace', lastName: 'Okafor' })
})

test('an address of a provider has the one form, or is none', () => {
  expect(usableEmail('Info@Bücher.example')).toBe('info@xn--bcher-kva.example')
  expect(usableEmail('\u212aate@folio.test')).toBeNull()
})
