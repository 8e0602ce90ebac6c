import { readFile } from 'node:fs/promises'
import type { Page, Route } from '@playwright/test'
import { at, expect, expectAccessibleInBoth, signIn, test } from './support/journey.ts'

const linus = { email: 'linus@folio.test', password: 'Atrium-demo-1' }
const grace = { email: 'grace@folio.test', password: 'Atrium-demo-1' }

const downloadAll = (page: Page) => page.getByRole('button', { name: 'Download All (ZIP)' })

/** Lets the browser save a file. @returns its name and content */
async function savedBy(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

test('last year’s documents for the accountant: choose the year, download all, save; then the same as a table', async ({
  page,
}) => {
  const year = new Date().getUTCFullYear() - 1
  await signIn(page, grace, '/account?tab=my-orders')
  await page.getByRole('combobox', { name: 'Order date' }).selectOption(String(year))
  await expect(page.getByText(`Paid in ${year}`)).toBeVisible()
  // Until the year's orders are here, the list shows those of any date.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const table = page.getByRole('table', { name: 'Online orders' })
  const rows = table.locator('tbody tr').filter({ hasText: 'Completed' })
  await expect(rows.first()).toBeVisible()
  const completed = await rows.count()

  await downloadAll(page).click()
  // Whoever comes back finds it.
  await page.goto(`${at.account}/account?tab=profile`)
  await page.goto(`${at.account}/account?tab=my-orders&range=${year}`)
  const save = page.getByRole('button', { name: /^Save \(/ })
  await expect(save).toBeVisible()
  await expect(page.getByText(`${year} · ${completed} of ${completed}`)).toBeVisible()
  const zip = await savedBy(page, () => save.click())

  expect(zip.name).toBe(`orders-${year}.zip`)
  // Files stand in it as they are, with their names.
  const text = zip.content.toString('latin1')
  const names = new Set(text.match(/[a-z-]+-\d{4}-\d\d-\d\d-[\w-]+\.pdf/g))
  expect(names.size).toBe(completed)
  for (const name of names) expect(name).toMatch(new RegExp(`^(order|invoice)-${year}-`))
  expect(text.match(/%PDF-1/g)).toHaveLength(completed)

  // Whoever stays has it without another press.
  const again = await savedBy(page, () => downloadAll(page).click())
  expect(again.name).toBe(zip.name)
  expect(again.content.length).toBeGreaterThan(0)
  await expect(save).toBeVisible()

  const csv = await savedBy(page, () => page.getByRole('button', { name: 'Spreadsheet (CSV)' }).click())
  expect(csv.name).toBe(`orders-${year}.csv`)
  const [head, ...lines] = csv.content.toString().trimEnd().split('\r\n')
  expect(head).toMatch(/^\u{feff}Order date,Order number,Invoice number,Product,/u)
  await expect(table.locator('tbody tr')).toHaveCount(lines.length)
  for (const line of lines) expect(line).toMatch(new RegExp(`^${year}-`))
})

test('how far it is, and which documents could not be made', async ({ page }) => {
  const archive = {
    ...{ id: '00000000-0000-4000-8000-000000000000', filter: { keyWord: '' }, total: 2000, done: 214 },
    ...{ missing: ['FO-1', 'FO-2'], file: null },
  }
  const file = { size: 61_400_000, expiresAt: '2026-12-01T10:00:00.000Z' }
  let orderArchive: object | null = archive
  await page.route('**/account/online-orders/archive/', (route: Route) => route.fulfill({ json: { orderArchive } }))
  await signIn(page, linus, '/account?tab=my-orders')
  await expect(page.getByText('Any date · 214 of 2,000')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '214')
  await expectAccessibleInBoth(page)

  orderArchive = { ...archive, done: 2000, file }
  await expect(page.getByText('Any date · 1,998 of 2,000')).toBeVisible()
  await expect(page.getByText(/could not be made: FO-1, FO-2\./)).toBeVisible()
  await expectAccessibleInBoth(page)

  orderArchive = null
  await page.getByRole('button', { name: 'Save (61.4 MB)' }).click()
  await expect(page.getByText('The file is no longer available. Prepare it again.')).toBeVisible()
})

test('without a document among the orders, the page says so', async ({ page }) => {
  await signIn(page, { email: 'ada@folio.test', password: linus.password }, '/account?tab=my-orders')
  const { list } = await (await page.request.get(`${at.account}/account/online-orders/?pageSize=100`)).json()
  const without = list.find(({ invoiceKind }: { invoiceKind: string }) => invoiceKind === 'none')
  await page.goto(`${at.account}/account?tab=my-orders&keyWord=${without.orderNumber}`)
  await downloadAll(page).click()
  await expect(page.getByRole('alert')).toContainText('None of these orders has a document yet.')
})
