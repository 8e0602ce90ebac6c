import { at, expect, signIn, test } from './support/journey.ts'

const ada = { email: 'ada@folio.test', password: 'Atrium-demo-1' }

test('offline orders: newest first, ten a page, the page in the address, Back and reload work', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders')
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(11)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('23')
  await expect(page.getByText('1–10 of 23')).toBeVisible()
  const first = await rows.nth(1).textContent()

  const controls = await page.getByRole('navigation', { name: 'Pages' }).getByRole('button').all()
  const heights = await Promise.all(controls.map(async (control) => (await control.boundingBox())?.y))
  expect(controls.length).toBeGreaterThan(3)
  expect(new Set(heights).size).toBe(1)

  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('11–20 of 23')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  expect(await rows.nth(1).textContent()).not.toBe(first)

  await page.reload()
  await expect(page.getByText('11–20 of 23')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('1–10 of 23')).toBeVisible()
  await page.goto(`${at.account}/account?tab=my-orders&page=99`)
  await expect(page.getByText('21–23 of 23')).toBeVisible()
})

test('offline orders on a phone are cards with every field', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn(page, ada, '/account?tab=my-orders')
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = page.getByRole('main').getByRole('listitem').first()
  await expect(card).toContainText('Amount')
  await expect(card).toContainText('$')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('amounts follow their currency and the language: yen without, euros with cents', async ({ page }) => {
  await signIn(page, { ...ada, email: 'yuki@folio.test' }, '/ja-jp/account?tab=my-orders')
  await expect(page.getByRole('main')).toContainText(/￥[\d,]+(?!\.)/)
})

test('somebody without orders is told so, with the way to a quote', async ({ page, guest }) => {
  await signIn(page, guest, '/account?tab=my-orders')
  await expect(page.getByText('No orders. Click Get a Quote to contact sales.')).toBeVisible()
  await page.getByRole('link', { name: 'Get a Quote' }).click()
  await page.waitForURL(`${at.sandbox}/site/**`)
})

test('a list that cannot be loaded says so in place, with a way to try again', async ({ page }) => {
  await signIn(page, ada)
  let fails = true
  await page.route('**/account/offline-orders/**', (route) => (fails ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByText('We cannot reach our servers.')).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1–10 of 23')).toBeVisible()
})
