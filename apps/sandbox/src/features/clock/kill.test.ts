import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { newTestDatabase } from '@atrium/server-kit/test-database.ts'
import Stripe from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { migrateSandbox } from '../../db/migrations.ts'
import { until } from '../../test/merchant.ts'

const program = resolve(import.meta.dirname, '../../main.ts')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** The sandbox as a program of its own, which can be killed. */
async function startSandbox(databaseUrl: string) {
  const [port, smtpPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      ATRIUM_SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      LOG_LEVEL: 'silent',
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const address = `http://localhost:${port}`
  await until(() =>
    fetch(`${address}/clock/control/`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    stripe: new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false }),
    advance: (seconds: number) =>
      fetch(`${address}/clock/control/advance/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ seconds }),
      }),
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** Longer than any year, so that no renewal falls on its last hour. */
const year = 368 * 86_400

test('a sandbox that is killed in the middle of a year charges every month once', async () => {
  await using database = await newTestDatabase({ template: 'atrium_test_sandbox', migrate: migrateSandbox })
  const first = await startSandbox(database.url)
  const { products, prices, customers, subscriptions } = first.stripe
  const { id: product } = await products.create({ name: 'Editor' })
  const { id: price } = await prices.create({
    product,
    currency: 'usd',
    unit_amount: 1000,
    recurring: { interval: 'month' },
  })
  for (let index = 0; index < 5; index += 1) {
    const { id: customer } = await customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    await subscriptions.create({ customer, items: [{ price }] })
  }

  const cut = first.advance(year).catch(() => undefined)
  const paid = async () => (await first.stripe.invoices.list({ limit: 100, status: 'paid' })).data.length
  await until(async () => (await paid()) >= 20)
  await first.kill()
  expect(await cut).toBeUndefined()

  const second = await startSandbox(database.url)
  const before = (await second.stripe.invoices.list({ limit: 100 })).data.length
  expect(before).toBeLessThan(65)
  expect((await second.advance(year)).status).toBe(200)
  for (const { id } of (await second.stripe.subscriptions.list()).data) {
    const invoices = await second.stripe.invoices
      .list({ subscription: id, limit: 100 })
      .autoPagingToArray({ limit: 1000 })
    const starts = invoices.map(({ lines }) => lines.data[0]?.period.start)
    expect(new Set(starts).size).toBe(starts.length)
    const ends = new Set(invoices.map(({ lines }) => lines.data[0]?.period.end))
    expect(starts.filter((start) => !ends.has(start ?? 0))).toHaveLength(1)
    expect(invoices.every(({ status, amount_paid }) => status === 'paid' && amount_paid === 1000)).toBe(true)
  }
  await second.kill()
})
