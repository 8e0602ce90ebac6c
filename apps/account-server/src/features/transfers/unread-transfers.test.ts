import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

test('what a file has brought under the provider’s id, and does not renew, is not the old Owner’s customer once it is read', async () => {
  await using world = await cardTransfer(sandbox)
  const id = await world.buy()
  await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  // As a file has it, before the provider was read.
  const unread = { providerId: null, customerId: null, payingCard: null, providerItems: [], syncNumber: 0 }
  await world.db
    .update(subscriptions)
    .set({ ...unread, autoRenew: false, cancelAt: null })
    .where(eq(subscriptions.id, id))
  expect((await world.transfer()).status).toBe(200)

  await world.sync(id)
  expect(await world.stored(id)).toMatchObject({
    ...{ memberId: world.recipient.id, providerId: null, customerId: null, payingCard: null, autoRenew: false },
  })
  // Nor does it renew for the recipient if the old Owner turns it on there.
  await sandbox.stripe.subscriptions.update(id, { cancel_at_period_end: false })
  await world.sync(id)
  expect(await world.stored(id)).toMatchObject({ memberId: world.recipient.id, customerId: null, autoRenew: false })
})
