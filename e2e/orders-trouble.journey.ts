import { readFile } from 'node:fs/promises'
import type { Page, Route } from '@playwright/test'
import { at, expect, expectAccessible, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

const ada = { email: 'ada@folio.test', password: 'Atrium-demo-1' }

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: code, status, code, requestId: '0b6b2c1e-5a1f' }),
})

/** The first order that offers a document, and the label of its button. */
async function firstDocument(page: Page) {
  const button = page.getByRole('button', { name: /^Download (invoice|pro forma|order summary) of order/ }).first()
  const name = await button.getAttribute('aria-label')
  return { button, number: name?.split(' ').at(-1) ?? '' }
}

test('an invoice is saved as a PDF with the server’s file name', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&status=CO')
  const { button, number } = await firstDocument(page)
  const saved = page.waitForEvent('download')
  await button.click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^(invoice|order)-.+\.pdf$/)
  expect(download.suggestedFilename()).toContain(number)
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await expect(button).toBeEnabled()
})

test('a document is offered for orders that have one: completed, or open with a number', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&status=OP')
  await expect(page.getByRole('button', { name: /^Download pro forma of order/ })).toHaveText('Pro forma')
  for (const status of ['CL', 'WT', 'QT']) {
    await page.goto(`${at.account}/account?tab=my-orders&status=${status}`)
    await expect(page.locator('tbody tr').first()).toBeVisible()
    await expect(page.locator('tbody').getByRole('button', { name: /^Download/ })).toHaveCount(0)
  }
})

test('a failed invoice shows what to do; the button is busy meanwhile', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&status=CO')
  const download = Promise.withResolvers<Route>()
  await page.route('**/account/invoices/download/', (route) => download.resolve(route))
  const { button } = await firstDocument(page)
  await button.click()
  await expect(button).toBeDisabled()
  await (await download.promise).fulfill(problem(502, 'invoice_unavailable'))
  await expect(page.getByRole('alert')).toContainText('Please try again in a few minutes, or ask our support for it.')
  await expect(button).toBeEnabled()
})

test('a failure to load the list is shown in place, with a retry and an id to quote', async ({ ownPage: page }) => {
  await signIn(page, ada)
  let fails = true
  await page.route('**/account/online-orders/**', (route) =>
    fails ? route.fulfill(problem(500, 'internal')) : route.continue(),
  )
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong on our side. Please try again.')
  await expect(page.getByRole('alert')).toContainText('0b6b2c1e-5a1f')
  await expectAccessible(page)
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1–10 of 128')).toBeVisible()
})

test('without the state names the orders are shown anyway, and the names can be requested again', async ({ page }) => {
  await signIn(page, ada)
  let fails = true
  await page.route('**/account/dictionaries/**', (route) =>
    fails ? route.fulfill(problem(500, 'internal')) : route.continue(),
  )
  await page.goto(`${at.account}/account?tab=my-orders`)
  await expect(page.getByText('1–10 of 128')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Some labels couldn’t be loaded.')
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeDisabled()
  await expectAccessible(page)
  fails = false
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('tbody').getByText('In Progress')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Canceled')
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('CL')
})

test('a customer without orders sees no filters, and a link to the store', async ({ page, reader }) => {
  await signIn(page, reader, '/account?tab=my-orders')
  await expect(page.getByText('You haven’t bought anything in our store yet.')).toBeVisible()
  await expect(page.getByRole('search')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Visit our store' })).toHaveAttribute('href', /\/shopping$/)
  await expectAccessible(page)
  // The Russian page sells nothing.
  await page.goto(`${at.account}/ru/account?tab=my-orders`)
  await expect(page.getByText('Вы пока ничего не покупали в нашем магазине.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
})
