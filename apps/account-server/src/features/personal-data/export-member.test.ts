import { expect, test } from 'vitest'
import { memberWithEverything, personal } from '../../test/personal-data.ts'
import { newWorld } from '../../test/world.ts'
import { maskKey } from '../licenses/licenses.rules.ts'
import { exportAddress, invoiceContent } from './export-member.service.ts'
import { personalTables } from './personal-tables.ts'

const now = new Date('2026-06-01T09:30:00Z')

test('everything about a person is exported by noun, with invoices as files', async () => {
  await using world = await newWorld()
  const { email, orderNumber, key } = await memberWithEverything(world)

  const outcome = await exportAddress(world.db, { email, now })

  if (outcome.kind !== 'exported') throw new Error(outcome.kind)
  const { data, files } = outcome.export
  expect(Object.keys(data).sort()).toEqual(personalTables.map(({ noun }) => noun).sort())
  const text = JSON.stringify(data)
  expect(text).not.toContain(key.key)
  for (const piece of [...personal, email]) expect(text).toContain(piece)
  expect(data).toMatchObject({
    profile: [{ email, firstName: 'Ada', phone: '0301234567' }],
    addresses: [{ street: 'Kantstraße 24' }],
    orders: [{ orderNumber, amount: 1000 }],
    licenseKeys: [{ key: maskKey(key.key) }],
    invoices: [{ orderNumber, file: `invoices/${orderNumber}-invoice.pdf` }],
  })
  expect(files).toEqual([{ name: `invoices/${orderNumber}-invoice.pdf`, orderNumber, kind: 'invoice' }])
  expect(await Promise.all(files.map((file) => invoiceContent(world.db, file)))).toEqual([Buffer.from('%PDF')])
})

test('neither secrets nor anything about others is exported', async () => {
  await using world = await newWorld()
  const { email, owner } = await memberWithEverything(world)
  const outcome = await exportAddress(world.db, { email, now })
  const text = JSON.stringify(outcome)
  expect(text).not.toMatch(/"\w*hash"|fingerprint|agentSubject/i)
  expect(text).not.toContain(owner.email)
})

test('nobody has no export, and reading changes nothing of a member', async () => {
  await using world = await newWorld()
  expect(await exportAddress(world.db, { email: 'nobody@quennell.test', now })).toEqual({ kind: 'nobody' })
})
