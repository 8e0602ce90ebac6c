import { demo } from '../support/lists.ts'
import {
  click,
  hanging,
  invalidProfile,
  missingCode,
  palette,
  pressedLast,
  unscripted,
} from '../support/screenshot-acts.ts'
import {
  answered,
  browsers,
  exportedData,
  linkedAccounts,
  supportPresent,
  worrying,
  worryingCard,
} from '../support/screenshot-answers.ts'
import type { Shot } from './shot.ts'

const addresses = '/account?tab=billing-address-management'

const security = '/account?tab=security-settings'

export const accountShots: readonly Shot[] = [
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
  { name: 'invitation-unknown', as: demo('ada'), path: '/account?invitation=cut-off' },
  { name: 'dialog-offline', as: demo('ada'), path: addresses, act: (page) => missingCode(page, 'fail') },
  { name: 'dialog-loading', as: demo('ada'), path: addresses, act: (page) => missingCode(page, 'hang') },
  { name: 'profile-empty', as: demo('noor'), path: '/account' },
  { name: 'menu', as: demo('ada'), path: '/account', act: (page) => click(page, 'header button') },
  { name: 'palette', as: demo('ada'), path: '/account', act: (page) => palette(page, '') },
  { name: 'palette-results', as: demo('ada'), path: '/account', act: (page) => palette(page, 'folio') },
  { name: 'palette-no-match', as: demo('ada'), path: '/account', act: (page) => palette(page, 'typewriter') },
  { name: 'worry-past-due', as: demo('grace'), path: '/account?tab=my-orders' },
  { name: 'worry-card', as: demo('kai'), path: '/account?tab=payment-option-management', act: worryingCard },
  {
    name: 'worry-ending',
    as: demo('grace'),
    path: '/account?tab=device-management',
    act: (page) => worrying(page, 'ending'),
  },
  {
    name: 'worry-license',
    as: demo('grace'),
    path: '/account?tab=license-management',
    act: (page) => worrying(page, 'license_ending'),
  },
  { name: 'sessions', as: demo('ada'), path: security, act: (page) => answered(page, browsers, 'Safari') },
  {
    name: 'sessions-end',
    as: demo('ada'),
    path: security,
    act: async (page) => {
      await answered(page, browsers)
      await page.getByRole('button', { name: /Safari/ }).click()
      await page.locator('[role=dialog] button').last().waitFor()
    },
  },
  {
    name: 'activity',
    as: demo('ada'),
    path: security,
    act: (page) => page.locator('main section').last().scrollIntoViewIfNeeded(),
  },
  {
    name: 'activity-filtered',
    as: demo('grace'),
    path: `${security}&area=team`,
    act: (page) => page.evaluate(() => scrollTo(0, document.body.scrollHeight)),
  },
  { name: 'linked-accounts', as: demo('ada'), path: security, act: (page) => answered(page, linkedAccounts, 'Elbe') },
  { name: 'data-preparing', as: demo('ada'), path: security, act: (page) => exportedData(page, false) },
  { name: 'data-ready', as: demo('ada'), path: security, act: (page) => exportedData(page, true) },
  { name: 'support-present', as: demo('mina'), path: '/account', act: (page) => answered(page, supportPresent) },
  { name: 'first-paint', as: demo('ada'), path: '/account?tab=my-orders', act: (page) => unscripted(page) },
  {
    name: 'skeleton',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: (page) => hanging(page, 'subscription'),
  },
  {
    name: 'menu-person',
    as: demo('ada'),
    path: '/account',
    act: (page) => pressedLast(page.getByRole('banner').getByRole('button')),
  },
  { name: 'not-found', as: demo('ada'), path: '/nothing-here' },
]
