import { expect, test } from 'vitest'
import { accountReference } from './shop.reference.ts'

test('the reference is the one of the documentation: of an address in lower case, for an hour', () => {
  const secret = 'a secret that the shop and the account area share'
  const reference = accountReference(secret, ' Ada@Example.test', new Date(1_780_315_200_000))
  // The account area has the same example.
  expect(reference).toBe(
    'a1.uXIi6mna33krqpf6do7LhAoAI3FMgxqxMog4y6n39Dc.1780318800.DM_suIFtv3TrD3o0E5E8LM_bTBQrkm931yHuK0NNoXo',
  )
  expect(accountReference(undefined, 'ada@example.test', new Date())).toBeUndefined()
})
