import type { Page } from '@playwright/test'
import { at, expect, expectAccessible, expectNoSidewaysScroll, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

const ada = { email: 'ada@folio.test', password: 'Atrium-demo-1' }

const statuses = [
  ['WT', 'In Progress'],
  ['PD', 'Pending'],
  ['QT', 'Quoting'],
  ['OP', 'Open'],
  ['CO', 'Completed'],
  ['CL', 'Canceled'],
] as const

const ranges = ['three-month', 'six-month', 'one-year', 'three-year']

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Online orders' }).locator('tbody tr')
const address = (page: Page) => new URL(page.url()).searchParams

/** The number of orders in the badge beside the title. */
async function total(page: Page): Promise<number> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const heading = await page.getByRole('heading', { level: 1 }).textContent()
  return Number(/[\d,]+$/.exec(heading ?? '')?.[0].replace(',', ''))
}

test('online orders: newest first, ten per page, the page in the address, Back and reload work', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders')
  await expect(rowsOf(page)).toHaveCount(10)
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await expect.poll(() => total(page)).toBe(128)
  const days = await page
    .locator('tbody time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')))
  expect(days).toEqual([...days].sort().reverse())
  const first = (await rowsOf(page).first().textContent()) ?? ''

  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('11–20 of 128')).toBeVisible()
  await expect.poll(() => address(page).get('page')).toBe('2')
  await expect(rowsOf(page).first()).not.toHaveText(first)

  await page.reload()
  await expect(page.getByText('11–20 of 128')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await page.goto(`${at.account}/account?tab=my-orders&page=99`)
  await expect(page.getByText('121–128 of 128')).toBeVisible()
  await expect.poll(() => address(page).get('page')).toBe('13')
})

test('what was given back of an order stands below its amount, and in no other line', async ({ page }) => {
  await page.route(/\/account\/online-orders\/\?/, async (route) => {
    const reply = await route.fetch()
    const { list, ...rest } = await reply.json()
    const [first, ...others] = list
    const charged = { orderAmount: 3000, orderTotal: 3000, orderTax: null, orderCurrency: 'USD' }
    const refunded = { ...first, ...charged, orderRefundedAmount: 1250 }
    const orderRefundDate = '2026-06-03T23:30:00.000Z'
    await route.fulfill({ response: reply, json: { list: [{ ...refunded, orderRefundDate }, ...others], ...rest } })
  })
  await signIn(page, ada, '/account?tab=my-orders')
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(10)
  await expect(rowsOf(page).first()).toContainText('$30.00Refunded: $12.50, Jun 3, 2026')
  await expect(page.getByText('Refunded')).toHaveCount(1)
  await expectAccessible(page)
})

test('an address with filters requests its list once, and no other first', async ({ page }) => {
  await signIn(page, ada)
  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/account/online-orders/?')) requested.push(new URL(request.url()).search)
  })
  await page.goto(`${at.account}/account?tab=my-orders&status=CO&range=three-year&keyWord=folio&page=2`)
  await expect(page.getByText(/^11–20 of/)).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(requested).toEqual(['?status=CO&range=three-year&keyWord=folio&page=2&pageSize=10&lang=en-us'])
})

test('each status shows only its orders, and is in the address', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&page=3')
  let sum = 0
  for (const [code, name] of statuses) {
    await page.getByRole('combobox', { name: 'Status' }).selectOption(name)
    await expect.poll(() => address(page).get('status')).toBe(code)
    await expect.poll(() => address(page).get('page')).toBeNull()
    await expect(page.getByText(/^1–\d+ of \d+/)).toBeVisible()
    await expect(rowsOf(page).filter({ hasNotText: name })).toHaveCount(0)
    sum += await total(page)
  }
  expect(sum).toBe(128)
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Any status')
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await expect.poll(() => address(page).get('status')).toBeNull()
})

test('each date range goes further back than the one before', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders')
  const totals: number[] = []
  for (const range of ranges) {
    await page.getByRole('combobox', { name: 'Order date' }).selectOption(range)
    await expect.poll(() => address(page).get('range')).toBe(range)
    await expect.poll(() => total(page)).not.toBe(totals.at(-1) ?? 128)
    totals.push(await total(page))
  }
  expect(totals).toEqual([...new Set(totals)].sort((one, other) => one - other))
  expect(totals[0]).toBeGreaterThan(0)
  expect(totals.at(-1)).toBeLessThan(128)
})

test('the search runs on Enter and on its button, not while typing', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders')
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  const box = page.getByRole('textbox', { name: 'Search orders' })
  await box.fill('  eSign  ')
  await page.waitForTimeout(600)
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await box.press('Enter')
  await expect.poll(() => address(page).get('keyWord')).toBe('eSign')
  await expect(rowsOf(page).filter({ hasNotText: 'eSign' })).toHaveCount(0)
  const number = (await rowsOf(page).first().locator('.code').textContent()) ?? ''

  await box.fill(number)
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
  await expect(rowsOf(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await expect(box).toBeFocused()

  await box.fill('%')
  await box.press('Enter')
  await expect(page.getByText('No orders match your filters.')).toBeVisible()
})

test('Clear All removes every filter; Back, reload and a shared link restore them', async ({ page, context }) => {
  const shared = `${at.account}/account?tab=my-orders&status=CO&range=one-year&keyWord=folio`
  await signIn(page, ada, shared.slice(at.account.length))
  const filters = async (on: Page) => {
    await expect(on.getByRole('textbox', { name: 'Search orders' })).toHaveValue('folio')
    await expect(on.getByRole('combobox', { name: 'Status' })).toHaveValue('CO')
    await expect(on.getByRole('combobox', { name: 'Order date' })).toHaveValue('one-year')
  }
  await filters(page)
  const filtered = await total(page)
  expect(filtered).toBeLessThan(128)

  await page.getByRole('button', { name: 'Clear All' }).click()
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Search orders' })).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Clear All' })).toHaveCount(0)
  await expect.poll(() => [...address(page).keys()]).toEqual(['tab'])

  await page.goBack()
  await filters(page)
  await page.reload()
  await filters(page)
  const other = await context.newPage()
  await other.goto(shared)
  await filters(other)
  await expect.poll(() => total(other)).toBe(filtered)

  await other.goto(`${at.account}/account?tab=my-orders&status=XX&range=ever&page=-1`)
  await expect(other.getByText('1–10 of 128')).toBeVisible()
  await expect.poll(() => [...address(other).keys()]).toEqual(['tab'])
})

test('a product is downloaded in a new tab, by a link that names it', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&keyWord=Mac')
  const link = page.getByRole('link', { name: /^Download Folio PDF Editor for Mac .*\(opens a new tab\)$/ }).first()
  await expect(link).toHaveAttribute('href', /^https:\/\//)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener')
})

test('an order has the same date in every time zone', async ({ browser }) => {
  const days: (string | null)[][] = []
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await (await browser.newContext({ timezoneId, locale: 'en-US' })).newPage()
    await signIn(page, ada, '/account?tab=my-orders')
    await expect(rowsOf(page)).toHaveCount(10)
    const listed = await page.locator('tbody time').allTextContents()
    const number = (await rowsOf(page).first().locator('td').first().innerText()).split('\n')[0] ?? ''
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('combobox').fill(number)
    const found = palette.getByRole('group', { name: 'Orders' }).getByRole('option').first()
    await expect(found).toContainText(number)
    await expect(found).toContainText(listed[0] ?? '')
    days.push(listed)
    await page.context().close()
  }
  expect(days[0]).toEqual(days[1])
})

test('offline orders have their own tab, tooltip, pages and address', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&status=CO')
  const tab = page.getByRole('tab', { name: 'Offline Orders' })
  await tab.hover()
  await expect(page.getByRole('tooltip')).toHaveText(
    'Orders made outside the store through sales reps, distributors or resellers.',
  )
  await tab.click()
  await expect(page.getByText('1–10 of 23')).toBeVisible()
  await expect.poll(() => total(page)).toBe(23)
  await expect
    .poll(() => [...address(page)])
    .toEqual([
      ['tab', 'my-orders'],
      ['list', 'offline'],
    ])
  await expect(page.getByRole('main').getByRole('button', { name: 'Get a Quote' })).toBeVisible()
  await page.getByRole('button', { name: 'Page 3' }).click()
  await expect(page.getByText('21–23 of 23')).toBeVisible()
  await page.reload()
  await expect(page.getByText('21–23 of 23')).toBeVisible()
  await page.goto(`${at.account}/account?tab=my-orders&list=offline&page=99`)
  await expect(page.getByText('21–23 of 23')).toBeVisible()
  await page.getByRole('tab', { name: 'Online Orders' }).click()
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await expect.poll(() => [...address(page).keys()]).toEqual(['tab'])
})

test('on a phone orders are cards with every field, in German too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, ada, '/de/account?tab=my-orders&status=CO')
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = page.getByRole('list', { name: 'Online-Bestellungen' }).getByRole('listitem').first()
  await expect(card).toContainText(/[\d.]+,\d\d\s\$Bestellnummer/)
  await expect(card).toContainText('Abgeschlossen')
  await expect(card.getByRole('button', { name: /herunterladen$/ })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Alle zurücksetzen' }).click()
  await expect(page.getByText('1–10 von 128')).toBeVisible()
})

test('amounts follow their currency and the language: yen without, euros with cents', async ({ page }) => {
  await signIn(page, { ...ada, email: 'yuki@folio.test' }, '/ja-jp/account?tab=my-orders')
  await expect(page.getByRole('main')).toContainText(/￥[\d,]+(?!\.)/)
})

test('where the words of a language need more room than a table has, orders are cards', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  await signIn(page, { ...ada, email: 'vera@folio.test' }, '/ru/account?tab=my-orders')
  await expect(page.getByRole('button', { name: /^Скачать/ }).first()).toBeVisible()
  await expect
    .poll(() =>
      page.getByRole('main').evaluate((main) => {
        const edge = main.getBoundingClientRect().right
        return [...main.querySelectorAll('td, li')].filter((part) => part.getBoundingClientRect().right > edge).length
      }),
    )
    .toBe(0)
})

test('what was paid in a year is answered in two presses, with a bar for each month', async ({ page }) => {
  await signIn(page, ada)
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Paid' })).toBeVisible()
  const year = String(new Date().getUTCFullYear() - 1)
  const latest = page.getByRole('button', { name: `${year} $` })
  await expect(latest).toBeVisible()
  await expectAccessible(page)
  await latest.click()
  await expect(page.getByLabel('Date')).toHaveValue(year)
  const paid = page.getByRole('region', { name: `Paid in ${year}` })
  await expect(paid).toContainText(/\$[\d,]+\.\d\d/)
  await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe(year)

  const months = paid.getByRole('list', { name: 'By month, in USD' }).getByRole('listitem')
  await expect(months).toHaveCount(12)
  const words = await months.allTextContents()
  const sum = words
    .map((text) => Number(text.split('$')[1]?.replaceAll(',', '') ?? 0))
    .reduce((one, other) => one + other)
  await expect(paid).toContainText(sum.toLocaleString('en-US', { style: 'currency', currency: 'USD' }))
  await expectAccessible(page)

  await page.getByLabel('Status').selectOption({ label: 'Canceled' })
  await expect(paid).toHaveCount(0)
})
