import { expect, test, vi } from 'vitest'
import { termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { eraseMember } from './erase-member.service.ts'

const sandbox = await sandboxOfFile()

test('what is read of a member who is erased before it is stored waits as nobody’s', async () => {
  const world = await termsVendor(sandbox)
  await using _ = world
  const { db, deps, buyer } = world
  const id = await world.buy()
  const secret = 'a secret of at least 32 characters'
  const erasure = { email: buyer.email, secret, pastDueDays: 21, dryRun: false, now: deps.clock() }
  const transaction = db.transaction.bind(db)
  // It was read, and is about to be stored.
  vi.spyOn(db, 'transaction').mockImplementationOnce(async (store) => {
    expect(await eraseMember(db, erasure)).toMatchObject({ kind: 'erased', purchases: [] })
    return transaction(store)
  })
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', memberId: null }])
})
