import deRoles from '@atrium/locales/de/roles.json' with { type: 'json' }
import deSubscriptions from '@atrium/locales/de/subscriptions.json' with { type: 'json' }
import enRoles from '@atrium/locales/en/roles.json' with { type: 'json' }
import enSubscriptions from '@atrium/locales/en/subscriptions.json' with { type: 'json' }
import type { Page } from '@playwright/test'
import {
  at,
  demoSubscription,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  shownSubscription,
  signIn,
} from './support/journey.ts'
import { test } from './support/shared-page.ts'

const person = (name: string) => ({ email: `${name}@folio.test`, password: 'Atrium-demo-1' })

const rowsOf = (page: Page, list = 'Online subscriptions') =>
  page.getByRole('table', { name: list }).locator('tbody tr')
const rowOf = (page: Page, name: string) => rowsOf(page).filter({ hasText: shownSubscription(name) })
const address = (page: Page) => new URL(page.url()).searchParams

test('an Owner reads what is paid, what happens next and who sits where; add-ons stand below what they belong to', async ({
  page,
}) => {
  await signIn(page, person('ada'), '/account?tab=my-subscriptions')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Subscriptions 8')
  for (const [name, ...texts] of [
    [
      'ada-editor',
      'Folio PDF Editor+ Business',
      'Owner',
      '$1,908.00',
      '12\u00a0seats\u00a0· Annual',
      '4 / 12',
      'Active',
      'Renews on',
    ],
    ['ada-esign', '2 connectors · Monthly', '$148.95'],
    ['ada-connector', 'Add-on of Folio eSign Business'],
    ['ada-redact', 'Trial', 'Trial ends on'],
    ['ada-server', 'Expires on'],
    ['ada-storage', '2 TB storage · Annual'],
    ['ada-mac', 'Annual paid in full', 'Expires on'],
  ] as const) {
    for (const text of texts) await expect(rowOf(page, name)).toContainText(text)
  }
  const color = await rowOf(page, 'ada-server')
    .getByText(/^Expires on/)
    .evaluate((text) => getComputedStyle(text).color)
  const [red = 0, ...others] = color.match(/\d+/g)?.map(Number) ?? []
  expect(red).toBeGreaterThan(2 * Math.max(...others))

  const ids = await rowsOf(page).locator('.code').allTextContents()
  expect(ids.indexOf(shownSubscription('ada-connector'))).toBe(ids.indexOf(shownSubscription('ada-esign')) + 1)
  await expect(page.getByRole('columnheader')).toHaveText([
    'Subscription',
    'Product',
    'Price',
    'Role',
    'Status',
    'Actions',
  ])
  await expectAccessible(page)
})

test('the id of a subscription is short in its row, and copied and found whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, person('ada'), '/account?tab=my-subscriptions')
  const row = rowOf(page, 'ada-editor')
  await row.hover()
  await row.getByRole('button', { name: 'Copy the ID of Folio PDF Editor+ Business', exact: true }).click()
  await expect(page.getByText('Copied successfully.')).toBeVisible()
  const id = await page.evaluate(() => navigator.clipboard.readText())
  expect(id).toBe(demoSubscription('ada-editor'))
  await expect(rowsOf(page).filter({ hasText: id })).toHaveCount(0)

  const search = page.getByRole('textbox', { name: 'Search subscriptions' })
  await search.fill(id)
  await search.press('Enter')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(row).toBeVisible()
})

test('search and status are in the address, and survive reload and Back', async ({ page }) => {
  await signIn(page, person('ada'), '/account?tab=my-subscriptions')
  const search = page.getByRole('textbox', { name: 'Search subscriptions' })
  await expect(search).toHaveAttribute('placeholder', 'Search by subscription or product')
  await search.fill('esign')
  await search.press('Enter')
  await expect(rowsOf(page)).toHaveCount(2)
  await expect.poll(() => address(page).get('keywords')).toBe('esign')
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(2)
  await page.goBack()
  await expect(rowsOf(page)).toHaveCount(8)

  await page.goto(`${at.account}/account?tab=my-subscriptions&status=trialing`)
  await expect(rowsOf(page)).toHaveCount(1)
  await page.goto(`${at.account}/account?tab=my-subscriptions&keywords=typewriter`)
  await expect(page.getByText('No subscriptions match your filters.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear All' }).last().click()
  await expect(rowsOf(page)).toHaveCount(8)
})

test('Manage leads to the users and back; the portal opens signed in, in a tab of its own', async ({ page }) => {
  await signIn(page, person('ada'), '/account?tab=my-subscriptions')
  const id = demoSubscription('ada-editor')
  await rowOf(page, 'ada-editor').getByRole('link', { name: 'Manage Folio PDF Editor+ Business', exact: true }).click()
  await expect(page.getByText('pia@folio.test')).toBeVisible()
  await expect.poll(() => [address(page).get('tab'), address(page).get('subId')]).toEqual(['license-management', id])
  await page.goBack()

  const opened = page.waitForEvent('popup')
  await rowOf(page, 'ada-server')
    .getByRole('button', { name: /^Manage Folio Smart Redact Server/ })
    .click()
  const portal = await opened
  await portal.waitForURL(/\/redact-portal\?token=/)
  await expect(portal.getByText('would manage their redact server')).toBeVisible()
  expect(await portal.evaluate(() => window.opener)).toBeNull()
})

test('a portal that cannot be had closes its tab, and says why', async ({ page }) => {
  await signIn(page, person('ada'), '/account?tab=my-subscriptions')
  await page.route('**/portal/', (route) => route.abort())
  const opened = page.waitForEvent('popup')
  await rowOf(page, 'ada-server')
    .getByRole('button', { name: /^Manage/ })
    .click()
  const portal = await opened
  if (!portal.isClosed()) await portal.waitForEvent('close')
  await expect(page.getByRole('alert')).toBeVisible()
})

test('defaultTab=offline opens the offline list, from which a renewal quote is requested', async ({ page }) => {
  await signIn(page, person('omar'), '/account?tab=my-subscriptions&defaultTab=offline')
  const [row] = [rowsOf(page, 'Offline subscriptions')]
  await expect(row).toHaveCount(1)
  for (const text of ['omar-editor', '2 / 30', 'Owner', 'Active', 'Expires on']) await expect(row).toContainText(text)
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Request renewal quote' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Seats')).toHaveValue('30')
  await expect(dialog.getByLabel('Message')).toHaveValue('omar-editor')
  await expect(dialog.getByLabel('Product')).not.toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/quote/)
})

test('each sees their own role, and a price that is not theirs, or hidden, is in no reply', async ({ page }) => {
  const replies: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/account/subscription/')) replies.push(await response.text())
  })
  await signIn(page, person('pia'), '/account?tab=my-subscriptions')
  await expect(rowOf(page, 'ada-editor')).toContainText('Member')
  await expect(rowOf(page, 'ada-editor').getByRole('link', { name: /^Manage/ })).toHaveCount(0)
  await expect.poll(() => replies.length).toBeGreaterThan(0)
  expect(replies.join('')).not.toContain('"price"')

  // What a partner sold, and whose payment failed.
  replies.length = 0
  await page.context().clearCookies()
  await signIn(page, person('omar'), '/account?tab=my-subscriptions')
  await expect(page.getByText('The payment for Folio eSign Business failed')).toBeVisible()
  await expect(page.getByText(/Access continues until .+ You bought this subscription through a partner/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: /^Pay|^Update card/ })).toHaveCount(0)
  await expect.poll(() => replies.length).toBeGreaterThan(0)
  expect(replies.join('')).not.toMatch(/"(price|currency|dueAmount)"|invoices/)
  await expectAccessible(page)
})

test('a failed payment is said above the list, with how long access lasts', async ({ page }) => {
  await signIn(page, person('grace'), '/account?tab=my-subscriptions')
  await expect(page.getByText('We could not collect your payment for Folio PDF Editor+ Business')).toBeVisible()
  await expect(
    page.getByText(/ failed\. Your card was declined\. .+ We will try the payment again on .+ Access continues until /),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pay €596.00 now' })).toHaveAttribute('href', /\/cards\/invoices\//)
  await expect(rowOf(page, 'grace-editor')).toContainText('Payment Failed')
})

test('on a phone and in Japanese each subscription is a card, and nothing is wider than the screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await signIn(page, person('ada'), '/ja-jp/account?tab=my-subscriptions')
  await expect(page.getByText(shownSubscription('ada-storage'))).toBeVisible()
  await expect(page.getByText('年額一括払い')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

/** Who sees which subscription, with its status and their role. */
const cast = {
  ada: [['ada-redact', 'trialing', 'owner']],
  grace: [['grace-editor', 'past_due', 'owner']],
  linus: [
    ['linus-esign', 'canceled', 'owner'],
    ['ada-editor', 'active', 'member'],
  ],
  mina: [
    ['mina-cloud', 'given', 'owner'],
    ['ada-editor', 'active', 'setupAdmin'],
  ],
  omar: [['ada-editor', 'active', 'admin']],
  vera: [['vera-education', 'prepayment-expired', 'owner']],
  yuki: [['yuki-cloud', 'active', 'owner']],
} as const

const languages = {
  '': { ...enSubscriptions, roles: enRoles.names },
  '/de': { ...deSubscriptions, roles: deRoles.names },
}

for (const [name, seen] of Object.entries(cast)) {
  test(`${name} reads status and role in two languages`, async ({ page }) => {
    const list = `/account?tab=my-subscriptions${name === 'vera' ? '&defaultTab=offline' : ''}`
    await signIn(page, person(name), list)
    for (const [prefix, { statuses, roles }] of Object.entries(languages)) {
      if (prefix !== '') await page.goto(at.account + prefix + list)
      for (const [bought, status, role] of seen) {
        // Long words turn the table into cards.
        const row = page.locator('tbody tr, main li').filter({ hasText: shownSubscription(bought) })
        for (const text of [statuses[status], roles[role]]) await expect(row).toContainText(text)
      }
    }
  })
}

test('in Russian nothing is sold: there are no changes to buy, and auto-renewal is only turned off', async ({
  page,
}) => {
  const list = '/account?tab=my-subscriptions'
  const toggle = (name: string) =>
    page
      .locator('tbody tr, main li')
      .filter({ hasText: shownSubscription(name) })
      .getByRole('switch')
  const card = page
    .locator('tbody tr, main li')
    .filter({ hasText: shownSubscription('ada-esign') })
    .first()
  const changes = card.locator('[aria-haspopup=menu]')
  await signIn(page, person('ada'), list)
  await expect(changes).toHaveCount(1)
  await expect(toggle('ada-server')).not.toBeChecked()

  await page.goto(`${at.account}/ru${list}`)
  await expect(toggle('ada-esign')).toBeChecked()
  await expect(toggle('ada-server')).toHaveCount(0)
  await expect(changes).toHaveCount(0)
  await page.goto(`${at.account}/ru${list}&dialog=more&sid=${demoSubscription('ada-esign')}`)
  await expect(toggle('ada-esign')).toBeChecked()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('whoever has none is led to the shop', async ({ page, reader }) => {
  await signIn(page, reader, '/account?tab=my-subscriptions')
  await expect(page.getByText('No subscriptions.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Buy Now' })).toHaveAttribute('href', /\/shopping$/)
})
