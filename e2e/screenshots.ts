import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserSwitches, findBrowser } from '../scripts/browser.ts'
import { projectFolder } from '../scripts/start/data-directory.ts'
import globalSetup from './support/global-setup.ts'
import { at, demoSubscription, signIn } from './support/journey.ts'
import {
  addingCard,
  backFromPaypal,
  changed,
  chosenLast,
  click,
  failing,
  invalidAddress,
  invalidProfile,
  invitingOthers,
  keysOf,
  missingCode,
  openKey,
  refusedForGood,
  removingUser,
  turningOff,
  wantingSeats,
  wrongPassword,
} from './support/screenshot-acts.ts'

/** `npm run screenshots [-- --only NAME]`: a picture of every page and dialog in `screenshots/`. */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })

const demo = (name: string) => ({ email: `${name}@folio.test`, password: 'Atrium-demo-1' })
const folder = join(projectFolder, 'screenshots')
/** The dialog of a change, whose subscription's id is known once the demo is loaded. */
const changing = (name: string, dialog: string) => `/account?tab=my-subscriptions&dialog=${dialog}&sid={${name}}`
const users = '/account?tab=license-management&subId={ada-editor}'
const addresses = '/account?tab=billing-address-management'
const cards = '/account?tab=payment-option-management'
const products = '/account?tab=my-products'

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
  { name: 'security-settings', as: demo('linus'), path: '/account?tab=security-settings' },
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
  { name: 'subscriptions-due-partner', as: demo('omar'), path: '/account?tab=my-subscriptions' },
  {
    name: 'subscriptions-due-paypal',
    as: demo('grace'),
    path: '/account?tab=my-subscriptions',
    act: (page) => changed(page, 'subscription', { stripeSdkUrl: '', payType: 'paypal' }),
  },
  {
    name: 'subscriptions-due-bank',
    as: demo('grace'),
    path: '/account?tab=my-subscriptions',
    act: (page) => changed(page, 'subscription', { needsConfirmation: 1 }),
  },
  { name: 'subscriptions-turn-off', as: demo('ada'), path: '/account?tab=my-subscriptions', act: turningOff },
  {
    name: 'subscriptions-menu',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: (page) => click(page, 'main [aria-haspopup=menu]'),
  },
  { name: 'subscriptions-change-seats', as: demo('ada'), path: changing('ada-editor', 'more') },
  {
    name: 'subscriptions-change-too-many',
    as: demo('ada'),
    path: changing('ada-editor', 'more'),
    act: (page) => wantingSeats(page, 200),
  },
  { name: 'subscriptions-change-annual', as: demo('ada'), path: changing('ada-esign', 'annual') },
  { name: 'subscriptions-renew', as: demo('ada'), path: changing('ada-mac', 'renew') },
  { name: 'subscriptions-change-upgrade', as: demo('linus'), path: changing('linus-esign', 'upgrade') },
  {
    name: 'subscriptions-turn-off-invalid',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: async (page) => {
      await turningOff(page)
      await click(page, '[role=dialog] button[type=submit]')
    },
  },
  { name: 'transfer', as: demo('ada'), path: '/account?tab=my-subscriptions&dialog=transfer' },
  {
    name: 'transfer-invalid',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions&dialog=transfer',
    act: (page) => click(page, '[role=dialog] button[type=submit]'),
  },
  { name: 'transfer-not-possible', as: demo('grace'), path: '/account?tab=my-subscriptions&dialog=transfer' },
  { name: 'subscriptions-roles', as: demo('pia'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-no-match', as: demo('ada'), path: '/account?tab=my-subscriptions&keywords=typewriter' },
  { name: 'subscriptions-empty', as: demo('noor'), path: '/account?tab=my-subscriptions' },
  {
    name: 'subscriptions-failing',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: (page) => failing(page, 'subscription'),
  },
  { name: 'my-products', as: demo('kai'), path: products },
  { name: 'my-products-ada', as: demo('ada'), path: products },
  { name: 'my-products-due', as: demo('grace'), path: products },
  {
    name: 'my-products-banner',
    as: demo('kai'),
    path: products,
    act: (page) => click(page, 'main section button[aria-expanded]'),
  },
  { name: 'my-products-over', as: demo('kai'), path: `${products}&product=pdf-editor-mac` },
  { name: 'my-products-offline', as: demo('kai'), path: `${products}&list=offline` },
  { name: 'my-products-shared', as: demo('pia'), path: products },
  { name: 'my-products-empty', as: demo('noor'), path: products },
  { name: 'my-products-console', as: demo('sofia'), path: products },
  { name: 'my-products-no-console', as: demo('uma'), path: products },
  { name: 'my-products-ask', as: demo('theo'), path: products },
  {
    name: 'my-products-failing',
    as: demo('ada'),
    path: products,
    act: (page) => failing(page, 'my-products'),
  },
  { name: 'roadmap', as: demo('ada'), path: '/account?tab=roadmap' },
  { name: 'roadmap-filtered', as: demo('ada'), path: '/account?tab=roadmap&currentQuarter=1&status=in_beta' },
  {
    name: 'roadmap-failing',
    as: demo('ada'),
    path: '/account?tab=roadmap',
    act: (page) => failing(page, 'roadmap'),
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
  { name: 'users', as: demo('ada'), path: users },
  { name: 'users-refused', as: demo('pia'), path: users },
  { name: 'users-add', as: demo('ada'), path: users, act: (page) => click(page, 'main header button') },
  { name: 'users-report', as: demo('ada'), path: users, act: invitingOthers },
  { name: 'users-remove', as: demo('mina'), path: users, act: removingUser },
  { name: 'invitation-unknown', as: demo('ada'), path: '/account?invitation=cut-off' },
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
  { language: 'de', prefix: '/de', width: 1000 },
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
    .replace(/\{([\w-]+)\}/, (_, name: string) => demoSubscription(name))
    .replace('ada-editor', () => demoSubscription('ada-editor'))
  await page.goto(`${base}${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await shot.act?.(page)
  await page.waitForTimeout(150)
  await page.screenshot({ path: join(folder, `${shot.name}-${view.language}-${view.width}-${scheme}.png`) })
  await page.unrouteAll()
}
