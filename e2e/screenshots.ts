import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserSwitches, findBrowser } from '../scripts/browser.ts'
import { projectFolder } from '../scripts/start/data-directory.ts'
import globalSetup from './support/global-setup.ts'
import { at, demoSubscription, fillSignIn, signIn } from './support/journey.ts'

/** `npm run screenshots [-- --only NAME]`: a picture of every page and dialog in `screenshots/`. */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })

const demo = (name: string) => ({ email: `${name}@folio.test`, password: 'Atrium-demo-1' })
const folder = join(projectFolder, 'screenshots')
const addresses = '/account?tab=billing-address-management'
const cards = '/account?tab=payment-option-management'

interface Shot {
  name: string
  /** Who is signed in; without it, a page of sso. */
  as?: ReturnType<typeof demo>
  path: string
  /** Steps before the picture is taken. */
  act?(page: Page): Promise<void>
}

const shots: Shot[] = [
  { name: 'profile', as: demo('ada'), path: '/account' },
  {
    name: 'profile-edit',
    as: demo('ada'),
    path: '/account',
    act: (page) => click(page, 'main header button, main button'),
  },
  { name: 'profile-invalid', as: demo('ada'), path: '/account', act: invalidProfile },
  { name: 'security-settings', as: demo('ada'), path: '/account?tab=security-settings' },
  {
    name: 'security-access',
    as: demo('ada'),
    path: '/account?tab=security-settings',
    act: (page) => click(page, 'main table button, main li button'),
  },
  { name: 'my-orders', as: demo('ada'), path: '/account?tab=my-orders' },
  {
    name: 'my-orders-filtered',
    as: demo('ada'),
    path: '/account?tab=my-orders&status=CO&range=one-year&keyWord=folio',
  },
  { name: 'my-orders-no-match', as: demo('ada'), path: '/account?tab=my-orders&keyWord=typewriter' },
  { name: 'my-orders-empty', as: demo('noor'), path: '/account?tab=my-orders' },
  {
    name: 'my-orders-failing',
    as: demo('ada'),
    path: '/account?tab=my-orders',
    act: (page) => failing(page, 'online-orders'),
  },
  {
    name: 'my-orders-wordless',
    as: demo('ada'),
    path: '/account?tab=my-orders',
    act: (page) => failing(page, 'dictionaries'),
  },
  { name: 'my-orders-offline', as: demo('ada'), path: '/account?tab=my-orders&list=offline' },
  { name: 'my-orders-offline-empty', as: demo('noor'), path: '/account?tab=my-orders&list=offline' },
  { name: 'quote', as: demo('ada'), path: '/account?tab=my-orders&list=offline&quote=new' },
  {
    name: 'quote-invalid',
    as: demo('noor'),
    path: '/account?tab=my-orders&quote=volume',
    act: (page) => click(page, '[role=dialog] button[type=submit]'),
  },
  { name: 'subscriptions', as: demo('ada'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-due', as: demo('grace'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-roles', as: demo('pia'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-no-match', as: demo('ada'), path: '/account?tab=my-subscriptions&keywords=typewriter' },
  { name: 'subscriptions-empty', as: demo('noor'), path: '/account?tab=my-subscriptions' },
  {
    name: 'subscriptions-failing',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: (page) => failing(page, 'subscription'),
  },
  {
    name: 'subscriptions-paypal-back',
    as: demo('yuki'),
    path: '/account?tab=my-subscriptions',
    act: (page) => backFromPaypal(page, 'hang'),
  },
  {
    name: 'subscriptions-paypal-away',
    as: demo('yuki'),
    path: '/account?tab=my-subscriptions',
    act: (page) => backFromPaypal(page, 'fail'),
  },
  {
    name: 'subscriptions-confirm-renewal',
    as: demo('yuki'),
    path: '/account?tab=my-subscriptions',
    act: (page) => changed(page, 'subscription', { paypalRenewConfirm: 1 }),
  },
  {
    name: 'orders-refunded',
    as: demo('ada'),
    path: '/account?tab=my-orders',
    act: (page) =>
      changed(page, 'online-orders', { orderRefundedAmount: 1250, orderRefundDate: '2026-06-03T23:30:00.000Z' }),
  },
  { name: 'subscriptions-offline', as: demo('omar'), path: '/account?tab=my-subscriptions&defaultTab=offline' },
  { name: 'licenses', as: demo('ada'), path: '/account?tab=license-management' },
  { name: 'licenses-team', as: demo('ada'), path: '/account?tab=license-management&sku=pdf-editor-plus' },
  { name: 'licenses-bulk', as: demo('bulk'), path: '/account?tab=license-management' },
  { name: 'licenses-no-match', as: demo('ada'), path: '/account?tab=license-management&keyWord=zzz' },
  { name: 'licenses-empty', as: demo('noor'), path: '/account?tab=license-management' },
  {
    name: 'licenses-menu',
    as: demo('ada'),
    path: '/account?tab=license-management',
    act: (page) => click(page, 'main [aria-haspopup=menu]'),
  },
  {
    name: 'licenses-key',
    as: demo('ada'),
    path: '/account?tab=license-management',
    act: (page) => click(page, 'main [aria-label$="L-2025-0010"]:not([aria-haspopup])'),
  },
  { name: 'users', as: demo('ada'), path: '/account?tab=license-management&subId=ada-editor' },
  { name: 'users-refused', as: demo('pia'), path: '/account?tab=license-management&subId=ada-editor' },
  { name: 'devices-email', as: demo('ada'), path: '/account?tab=device-management' },
  { name: 'devices-empty', as: demo('noor'), path: '/account?tab=device-management' },
  { name: 'devices-keycode', as: demo('ada'), path: '/account?tab=device-management&method=keycode' },
  { name: 'devices-keys', as: demo('ada'), path: keysOf('L-2025-0010') },
  { name: 'devices-all', as: demo('ada'), path: keysOf('L-2025-0010'), act: (page) => openKey(page, 0) },
  {
    name: 'devices-tooltip',
    as: demo('ada'),
    path: keysOf('L-2025-0010'),
    act: async (page) => {
      await openKey(page, 1)
      await page
        .getByRole('listitem')
        .or(page.getByRole('row'))
        .filter({ hasText: 'PLOTTER' })
        .getByRole('button')
        .hover()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'devices-expired',
    as: demo('ada'),
    path: keysOf('L-2023-0012'),
    act: (page) => openKey(page, 0),
  },
  {
    name: 'devices-deactivate',
    as: demo('ada'),
    path: keysOf('L-2025-0010'),
    act: async (page) => {
      await openKey(page, 0)
      await click(page, 'main :is(td, li) button[class*=action]')
    },
  },
  { name: 'cards', as: demo('ada'), path: cards },
  { name: 'cards-menu', as: demo('ada'), path: cards, act: (page) => click(page, 'main [aria-haspopup=menu]') },
  { name: 'cards-add', as: demo('ada'), path: cards, act: addingCard },
  { name: 'cards-edit', as: demo('ada'), path: cards, act: (page) => click(page, 'main li button') },
  { name: 'cards-remove', as: demo('ada'), path: cards, act: chosenLast },
  { name: 'cards-empty', as: demo('noor'), path: cards },
  { name: 'cards-failing', as: demo('ada'), path: cards, act: (page) => failing(page, 'cards') },
  { name: 'addresses', as: demo('ada'), path: addresses },
  { name: 'addresses-menu', as: demo('ada'), path: addresses, act: (page) => click(page, 'main [aria-haspopup=menu]') },
  { name: 'addresses-add', as: demo('ada'), path: addresses, act: (page) => click(page, 'main header button') },
  { name: 'addresses-edit', as: demo('ada'), path: addresses, act: (page) => click(page, 'main li button') },
  { name: 'addresses-invalid', as: demo('ada'), path: addresses, act: invalidAddress },
  { name: 'addresses-delete', as: demo('ada'), path: addresses, act: chosenLast },
  { name: 'addresses-delete-final', as: demo('ada'), path: addresses, act: refusedForGood },
  { name: 'addresses-empty', as: demo('noor'), path: addresses },
  { name: 'addresses-failing', as: demo('ada'), path: addresses, act: (page) => failing(page, 'billing-addresses') },
  { name: 'dialog-offline', as: demo('ada'), path: addresses, act: (page) => missingCode(page, 'fail') },
  { name: 'dialog-loading', as: demo('ada'), path: addresses, act: (page) => missingCode(page, 'hang') },
  { name: 'profile-empty', as: demo('noor'), path: '/account' },
  { name: 'menu', as: demo('ada'), path: '/account', act: (page) => click(page, 'header button') },
  { name: 'sso-sign-in', path: `/cas/login?service=${encodeURIComponent('ACCOUNT/account')}` },
  { name: 'sso-wrong', path: `/cas/login?service=${encodeURIComponent('ACCOUNT/account')}`, act: wrongPassword },
  { name: 'sso-sign-up', path: '/sign-up' },
  { name: 'sso-forgotten', path: '/forgotten-password' },
  { name: 'sso-refused', path: '/cas/login?service=https%3A%2F%2Felsewhere.test' },
  { name: 'sso-signed-out', path: '/cas/logout' },
  { name: 'sso-popup', path: '/reset-password' },
]

const views = [
  { language: 'en', prefix: '', width: 375 },
  { language: 'en', prefix: '', width: 1000 },
  { language: 'en', prefix: '', width: 1400 },
  { language: 'de', prefix: '/de', width: 375 },
  { language: 'ja-jp', prefix: '/ja-jp', width: 1400 },
] as const

const { path: executablePath } = await findBrowser()
const stop = await globalSetup()
const browser = await chromium.launch({ executablePath, args: browserSwitches })
try {
  await mkdir(folder, { recursive: true })
  for (const scheme of ['light', 'dark'] as const) {
    for (const view of views) await takeAll(browser, scheme, view)
  }
} finally {
  await browser.close()
  await stop()
}

async function takeAll(where: Browser, scheme: 'light' | 'dark', view: (typeof views)[number]): Promise<void> {
  const wanted = shots.filter(({ name }) => name.includes(values.only))
  for (const who of [...new Set(wanted.map(({ as }) => as?.email))]) {
    const context = await where.newContext({
      viewport: { width: view.width, height: view.width < 500 ? 812 : 900 },
      // A phone has no pointer: `@media (hover: none)`.
      hasTouch: view.width < 500,
      isMobile: view.width < 500,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: view.language,
    })
    const page = await context.newPage()
    if (who) await signIn(page, { email: who, password: demo('').password }, `${view.prefix}/account`)
    for (const shot of wanted.filter(({ as }) => as?.email === who)) await take(page, shot, scheme, view)
    await context.close()
  }
}

async function take(page: Page, shot: Shot, scheme: string, view: (typeof views)[number]): Promise<void> {
  const base = shot.as ? `${at.account}${view.prefix}` : at.sso
  const path = shot.path
    .replace('ACCOUNT', encodeURIComponent(at.account))
    .replace('ada-editor', () => demoSubscription('ada-editor'))
  await page.goto(`${base}${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await shot.act?.(page)
  await page.waitForTimeout(150)
  await page.screenshot({ path: join(folder, `${shot.name}-${view.language}-${view.width}-${scheme}.png`) })
  await page.unrouteAll()
}

/** The address was deleted in another tab meanwhile. */
async function refusedForGood(page: Page): Promise<void> {
  await chosenLast(page)
  const body = { type: 'about:blank', title: 'not_found', status: 404, code: 'not_found', requestId: 'shot' }
  await page.route('**/account/billing-addresses/**', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 404, contentType: 'application/problem+json', json: body })
      : route.continue(),
  )
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button').last().click()
  await page.waitForTimeout(300)
}

async function click(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().click()
  await page.waitForTimeout(250)
}

/** Address of the keys of a license. */
function keysOf(licenseId: string): string {
  return `/account?tab=device-management&method=keycode&licenseId=${licenseId}`
}

async function openKey(page: Page, index: number): Promise<void> {
  await page.locator('main a[href*="code="]').nth(index).click()
  await page.waitForLoadState('networkidle')
}

async function invalidProfile(page: Page): Promise<void> {
  await click(page, 'main header button, main button')
  const inputs = page.getByRole('dialog').getByRole('textbox')
  await inputs.first().fill('')
  await inputs.nth(1).fill('x'.repeat(40))
  await page.getByRole('dialog').locator('button[type=submit]').click()
}

async function invalidAddress(page: Page): Promise<void> {
  await click(page, 'main header button')
  await click(page, '[role=dialog] button[type=submit]')
}

/** A dialog whose code does not load. */
async function missingCode(page: Page, how: 'fail' | 'hang'): Promise<void> {
  await page.route(/address-dialogs/, (route) => (how === 'fail' ? route.abort() : undefined))
  if (how === 'fail') await page.route('**/account?*', (route) => route.abort())
  await page.locator('main header button').first().dispatchEvent('click')
  await page.waitForTimeout(600)
}

/** The last item of a menu, which removes something. */
async function chosenLast(page: Page): Promise<void> {
  await click(page, 'main [aria-haspopup=menu]')
  await page.getByRole('menuitem').last().click()
  await page.waitForTimeout(250)
}

/** The provider's fields load later, in their own frame. */
async function addingCard(page: Page): Promise<void> {
  await click(page, 'main header button')
  await page.locator('[role=dialog] button[type=submit]:enabled').waitFor()
}

/** With an answer of PayPal that does not come, or fails. */
async function backFromPaypal(page: Page, how: 'fail' | 'hang'): Promise<void> {
  await page.route('**/account/paypal-add-license/**', (route) => (how === 'fail' ? route.abort() : undefined))
  await page.goto(`${page.url()}&stripe_subscription_id=I-BW452GLLEP1G`)
  await page
    .getByRole(how === 'fail' ? 'alert' : 'status')
    .first()
    .waitFor()
  await page.waitForTimeout(500)
}

/** Reloads a list whose first row has other values. */
async function changed(page: Page, noun: string, values: object): Promise<void> {
  await page.route(`**/account/${noun}/**`, async (route) => {
    const reply = await route.fetch()
    const { list, ...others } = await reply.json()
    const [first, ...rest] = list
    await route.fulfill({ response: reply, json: { ...others, list: [{ ...first, ...values }, ...rest] } })
  })
  await page.reload()
  await page.waitForLoadState('networkidle')
}

/** Reloads the page with requests that are never answered. */
async function failing(page: Page, noun: string): Promise<void> {
  await page.route(`**/account/${noun}/**`, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: '{"type":"about:blank","title":"Internal","status":500,"code":"internal","requestId":"0b6b2c1e-5a1f"}',
    }),
  )
  await page.reload()
  await page.waitForLoadState('networkidle')
}

async function wrongPassword(page: Page): Promise<void> {
  await fillSignIn(page, { email: 'ada@folio.test', password: 'not the password' })
  await page.getByRole('alert').first().waitFor()
}
