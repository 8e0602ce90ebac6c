import deProducts from '@atrium/locales/de/products.json' with { type: 'json' }
import enProducts from '@atrium/locales/en/products.json' with { type: 'json' }
import type { Page } from '@playwright/test'
import type { Guest } from './support/guests.ts'
import { importRecords } from './support/import.ts'
import {
  at,
  demoSubscription,
  expect,
  expectAccessible,
  expectAccessibleInBoth,
  expectNoSidewaysScroll,
  signIn,
  test,
} from './support/journey.ts'
import { demo, query } from './support/lists.ts'

const products = '/account?tab=my-products'

/** The card of a product; a product may have several. */
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })

test('each card says how long it lasts and has the button for it; downloads, launch links and integrations', async ({
  page,
}) => {
  await signIn(page, demo('kai'), products)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/My Products\s9/)
  const seen = [
    ['Folio PDF Editor+ Individual', /Renews on/, 'Upgrade'],
    ['Folio PDF Editor+ Business', /Renews on/, 'View'],
    ['Folio PDF Editor MSP Package', /Renews on .*MSP packages need PDF Editor 2025\.2/, 'View'],
    ['Folio PDF Editor', /Renews on/, 'Pay Now'],
    ['Folio Cloud', /Renews on/, 'View order'],
    [
      'Folio AI Assistant',
      /Free Trial.*Trial ends in [456]\sdays.*paid subscription on .*will have expired/,
      'Add Card',
    ],
    ['Folio Smart Redact Starter', /Expires on/, 'Renew'],
    ['Folio PDF Editor for Mac', /Expired on/, 'Renew'],
  ] as const
  for (const [name, says, button] of seen) {
    await expect(card(page, name)).toContainText(says)
    await expect(card(page, name).getByText(button, { exact: true })).toBeVisible()
  }
  await expect(page.getByRole('link', { name: 'Download Folio PDF Editor+ Business for Windows' })).toHaveAttribute(
    'href',
    'https://downloads.folio.test/windows/folio-pdf-editor-setup.exe',
  )
  await expect(page.getByRole('link', { name: 'Open Folio eSign Business' })).toHaveAttribute(
    'href',
    'https://esign.folio.test/',
  )
  const panel = page.getByRole('region', { name: 'Integrations' })
  await expect(panel).toContainText('SalesforceFolio eSign Business')
  await expectAccessibleInBoth(page)

  // A tab a product line, trials apart; what is over has the specification's sentence.
  await page.getByRole('tab', { name: 'Folio AI Assistant Free Trial' }).click()
  await expect.poll(() => query(page)).toEqual({ tab: 'my-products', product: 'ai-assistant:trial' })
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Folio AI Assistant'])
  await page.getByRole('tab', { name: 'Folio PDF Editor for Mac' }).click()
  await expect(
    page.getByText(
      "It looks like you don't currently have any active Folio PDF Editor for Mac product trials or licenses.",
    ),
  ).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(card(page, 'Folio Smart Redact Starter')).toBeVisible()

  // The buttons open the dialogs and rows of My Subscriptions, and Back returns.
  await page.getByRole('link', { name: 'Upgrade: Folio PDF Editor+ Individual' }).click()
  await expect(page.getByRole('dialog')).toContainText('Folio PDF Editor+ Business')
  await expect
    .poll(() => query(page))
    .toMatchObject({ tab: 'my-subscriptions', dialog: 'upgrade', sid: demoSubscription('kai-suite') })
  await page.goBack()
  await page.getByRole('link', { name: 'Renew: Folio PDF Editor for Mac' }).first().click()
  await expect(page.getByRole('dialog')).toContainText('Folio PDF Editor for Mac')
  await page.goBack()
  await page.getByRole('link', { name: 'Renew: Folio Smart Redact Starter' }).first().click()
  await expect(page.getByRole('switch', { name: /Auto-renewal of Folio Smart Redact Starter/ })).not.toBeChecked()
  await page.goBack()

  await page.goto(`${at.account}${products}&defaultTab=offline`)
  await expect(page.getByRole('tab', { name: 'Offline Subscriptions' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'Renew: Folio Smart Redact Server' }).last().click()
  await expect(page.getByRole('dialog').getByLabel('Message')).toHaveValue('kai-archive')
})

test('what must be paid or confirmed leads to the provider, the order or PayPal; a colleague can only look', async ({
  page,
}) => {
  await signIn(page, demo('grace'))
  const line = page.getByRole('region', { name: 'We could not collect your payment for Folio PDF Editor+ Business' })
  await expect(line.getByRole('link', { name: /^Fix payment/ })).toHaveAttribute('href', /\/cards\/invoices\//)
  await expect(line.getByRole('button')).toHaveCount(0)
  await page.goto(`${at.account}${products}`)
  await expect(line).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Renewals' })).toContainText('We could not collect your payment')
  await expect(page.getByRole('button', { name: /^Hide for seven days/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Fix payment: / }).last()).toHaveAttribute('href', /\/cards\/invoices\//)
  await expect(card(page, 'Folio PDF Editor+ Business').first()).toContainText('Payment failed. Access until')

  // States that take a bank, a provider's delay and PayPal to come about: the server's tests have them.
  const buttons = [
    { showButtonType: 'pay_now', showButtonUrl: 'https://pay.example/invoice' },
    { showButtonType: 'waiting_to_pay', showButtonUrl: '/account?tab=my-orders&keyWord=O-1' },
    { showButtonType: 'confirm_plan', showButtonUrl: '' },
  ] as const
  let next: (typeof buttons)[number] = buttons[0]
  await page.route('**/account/my-products/?*', async (route) => {
    const reply = await route.fetch()
    const { list, ...others } = await reply.json()
    const items = list.flatMap(({ subInfo }: { subInfo: object[] }) => subInfo)
    const [group] = list
    await route.fulfill({ json: { ...others, list: [{ ...group, subInfo: [{ ...items[0], ...next }] }] } })
  })
  await page.reload()
  await expect(page.getByRole('link', { name: /^Pay Now: / })).toHaveAttribute('href', 'https://pay.example/invoice')
  next = buttons[1]
  await page.reload()
  await page.getByRole('link', { name: /^View order: / }).click()
  await expect.poll(() => query(page)).toEqual({ tab: 'my-orders', keyWord: 'O-1' })
  next = buttons[2]
  await page.goto(`${at.account}${products}`)
  const approval = `${at.account}${products}&product=approved`
  await page.route('**/account/paypal-renew-subscription/', (route) =>
    route.fulfill({ json: { approveLink: approval } }),
  )
  await page.getByRole('button', { name: /^Confirm: / }).click()
  await expect(page).toHaveURL(/product=approved/)
  // The page that follows may still be asking.
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  await page.context().clearCookies()
  await signIn(page, demo('pia'), products)
  await expect(card(page, 'Folio eSign Business')).toContainText('Shared with you')
  await expect(page.getByRole('link', { name: /^View: / })).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Renewals' })).toHaveCount(0)
})

/** One thing of each kind that the banner says. */
async function worries({ email }: Guest): Promise<string> {
  const name = `WORRY-${email.replaceAll(/\D/g, '')}`
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const facts = {
    type: 'subscription',
    email,
    userCount: 1,
    origin: 'online',
    channel: 'invoice',
    periodStart: day(-200),
  }
  await importRecords(name, [
    {
      ...facts,
      subscriptionId: `${name}-1`,
      productCode: 'FPE',
      status: 'canceled',
      endedAt: day(-9),
      periodEnd: day(-9),
    },
    { ...facts, subscriptionId: `${name}-2`, productCode: 'FCL', status: 'active', periodEnd: day(9.5) },
    { ...facts, subscriptionId: `${name}-3`, productCode: 'FAI', status: 'trialing', trialEnd: day(2.5) },
  ])
  return name
}

test('the banner says the worst first and the rest on demand, and each tab what should be known; what is hidden stays so', async ({
  page,
  browser,
  guest,
}) => {
  await worries(guest)
  await signIn(page, guest, products)
  const banner = page.getByRole('region', { name: 'Renewals' })
  await expect(banner).toContainText(/^Folio PDF Editor ended on/)
  await banner.getByRole('button', { name: 'and 2 more' }).click()
  await expect(banner.getByRole('listitem')).toContainText([
    'Folio Cloud ends in 10 days',
    'Your trial of Folio AI Assistant ends in 3 days',
  ])
  await expectAccessible(page)

  // What has ended, and a trial, are not said on every tab.
  await page.getByRole('navigation').getByRole('link', { name: 'Profile' }).click()
  const line = page.getByRole('region', { name: 'Folio Cloud ends in 10 days' })
  await expect(line.getByRole('link', { name: 'Renew: Folio Cloud' })).toBeVisible()
  await expectAccessible(page)
  await line.getByRole('button', { name: /^Hide for seven days/ }).click()
  await expect(line).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await page.goBack()
  await banner.getByRole('button', { name: 'and 1 more' }).click()
  await expect(banner.getByRole('listitem')).toHaveCount(1)
  await banner.getByRole('button', { name: /^Hide for seven days: Folio PDF Editor/ }).click()
  await expect(banner).toContainText(/^Your trial of Folio AI Assistant ends in 3\sdays/)

  const elsewhere = await (await browser.newContext()).newPage()
  await signIn(elsewhere, guest, `/de${products}`)
  const there = elsewhere.getByRole('region', { name: deProducts.banner.label })
  await expect(there).toContainText('Ihre Testversion von Folio AI Assistant endet in 3 Tagen')
  await expect(there.getByRole('button', { name: /weitere$/ })).toHaveCount(0)
  await elsewhere.context().close()
})

test('on a phone, what worries a customer comes with the tab, and pushes nothing down later', async ({
  page,
  guest,
}) => {
  await worries(guest)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() => {
    const shifts = new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) document.documentElement.setAttribute('data-shift', `${startTime}`)
    })
    shifts.observe({ type: 'layout-shift', buffered: true })
  })
  await signIn(page, guest)
  await page.route('**/account/my-products/renewals/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  await page.goto(`${at.account}/account?tab=security-settings`)
  const line = page.getByRole('region', { name: 'Folio Cloud ends in 10 days' })
  await expect(line).toBeVisible()
  await page.waitForTimeout(500)
  await expect(page.locator('html')).not.toHaveAttribute('data-shift')

  await page.goto(at.account + products)
  await expect(page.getByRole('region', { name: 'Renewals' })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('link', { name: 'Billing Address' }).click()
  await expect(line).toBeVisible()
})

test('a card that will have expired when it is charged is said in the banner', async ({ page }) => {
  await signIn(page, demo('kai'), products)
  const banner = page.getByRole('region', { name: 'Renewals' })
  await banner.getByRole('button', { name: /^and \d more$/ }).click()
  await expect(banner.getByText(/^Your card Visa ••••\s4242 has expired$/)).toBeVisible()
  // Its trial is to be charged to that card.
  await expect(banner).toContainText(/You can use it until .* Becomes a paid subscription on .*, but your Visa/)
  await banner.getByRole('link', { name: 'Update card' }).click()
  await expect(page.getByRole('dialog', { name: /^Replace Visa ••••\s4242$/ })).toContainText('will be removed')
  await expect.poll(() => query(page)).toMatchObject({ tab: 'payment-option-management', dialog: 'replace' })
})

test('a trial without a card says when it ends, and leads to the cards', async ({ page }) => {
  const noCards = { cardList: [], defaultPaymentID: '', hasOtherDefault: 0 }
  await page.route('**/account/cards/', (route) => route.fulfill({ json: noCards }))
  await signIn(page, demo('kai'), products)
  const trial = card(page, 'Folio AI Assistant')
  await expect(trial).toContainText('No card is on file, so it ends on')
  await trial.getByRole('link', { name: 'Add Card: Folio AI Assistant' }).click()
  await expect.poll(() => query(page)).toEqual({ tab: 'payment-option-management', dialog: 'add' })
})

const tips = [
  ['sofia', 'log_in_admin', 'adminConsole'],
  ['uma', 'log_in_admin_no_button', undefined],
  ['theo', 'contact_administrator', undefined],
] as const

test('an empty list says why and what to do, in two languages and on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  for (const [name, tip, button] of tips) {
    await page.context().clearCookies()
    await signIn(page, demo(name), products)
    for (const [prefix, { blank }] of [['', enProducts] as const, ['/de', deProducts] as const]) {
      if (prefix !== '') await page.goto(at.account + prefix + products)
      await expect(page.getByRole('heading', { level: 2, name: blank.title })).toBeVisible()
      await expect(page.getByText(blank[tip])).toBeVisible()
      await expect(page.getByText('kai@folio.test')).toHaveCount(tip === 'log_in_admin' ? 0 : 1)
      await expect(page.getByRole('link', { name: blank.adminConsole })).toHaveCount(button ? 1 : 0)
      const isManager = tip !== 'contact_administrator'
      await expect(page.getByRole('link', { name: blank.manageUsers })).toHaveCount(isManager ? 1 : 0)
    }
  }
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)

  await page.context().clearCookies()
  await signIn(page, demo('noor'), products)
  await expect(
    page.getByText("It looks like you don't currently have any active Folio product trials or licenses."),
  ).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Buy Now' })).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Try for free' })).toBeVisible()
  await page.goto(`${at.account}/ru${products}`)
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(1)
})

test('on a phone and in German the cards stack and the banner wraps; a failure can be tried again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await signIn(page, demo('kai'), `/de${products}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Meine Produkte')
  await page.getByRole('button', { name: /^und \d weitere$/ }).click()
  await expect(card(page, 'Folio AI Assistant')).toContainText('Kostenlose Testversion')
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)

  let isDown = true
  const problem = { type: 'about:blank', title: 'x', status: 500, code: 'internal', requestId: 'r-1' }
  await page.route('**/account/my-products/**', (route) =>
    isDown ? route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem }) : route.continue(),
  )
  await page.goto(`${at.account}/ja-jp${products}`)
  // Measured together: the page may move between two measurements.
  const placesOf = () => page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().y))
  await expect(page.getByRole('tab')).toHaveCount(2)
  await expect.poll(async () => new Set(await placesOf()).size).toBe(1)
  await page.goto(`${at.account}/de${products}`)
  await expect(page.getByText('r-1')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(card(page, 'Folio AI Assistant')).toBeVisible()
})
