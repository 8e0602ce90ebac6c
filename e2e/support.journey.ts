import type { Locator, Page } from '@playwright/test'
import { demoPassword } from '../scripts/start/demo.ts'
import { addBehind, cards } from './support/addresses.ts'
import { at, emailTo, expect, expectAccessibleInBoth, fillSignIn, signIn, test } from './support/journey.ts'

const agent = { email: 'sam.support@folio.test', password: demoPassword }

/** When the page asked who of support is there. */
function recordPolls(page: Page): number[] {
  const times: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/account/support-sessions/')) times.push(Date.now())
  })
  return times
}

async function openAccount(support: Page, email: string) {
  await support.getByLabel('E-Mail-Adresse des Kontos').fill(email)
  await support.getByLabel('Grund').fill('The last invoice is missing')
  await support.getByLabel('Ticketnummer').fill('T-4711')
  await support.getByRole('button', { name: 'Konto öffnen' }).click()
}

/** The account has two addresses. */
async function expectToChangeNothing(support: Page, banner: Locator) {
  // What leads out of the account says by a tap why it does nothing.
  await support.goto(`${at.account}/support/de/account?tab=my-orders`)
  const shop = support.getByRole('main').getByRole('button', { disabled: true }).last()
  await shop.click({ force: true })
  await expect(support.getByRole('tooltip')).toContainText('Als Supportmitarbeiter')
  await support.goto(`${at.account}/support/de/account?tab=billing-address-management`)
  await expect(support.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner).toBeVisible()
  await expectAccessibleInBoth(support)
  const readOnly = 'Als Supportmitarbeiter können Sie dieses Konto nur ansehen'
  await cards(support)
    .filter({ hasText: '10117' })
    .getByRole('button', { name: /^Weitere Aktionen/ })
    .click()
  await support.getByRole('menuitem', { name: 'Löschen' }).click()
  const question = support.getByRole('dialog', { name: 'Diese Adresse löschen?' })
  await expect(question.getByRole('alert')).toContainText(readOnly)
  await expect(question.getByRole('button', { name: 'Löschen' })).toBeDisabled()
  await support.goto(`${at.account}/support/de/account?tab=profile`)
  await support.getByRole('button', { name: 'Profil bearbeiten' }).click()
  await expect(support.getByText(readOnly)).toBeVisible()
  const refused = support.waitForResponse((response) => response.status() === 403)
  await support.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
  await refused
  await expect(support.getByText(readOnly)).toBeVisible()

  // A card number would reach the provider before anybody refuses it.
  await support.goto(`${at.account}/support/de/account?tab=payment-option-management&dialog=add`)
  await expect(support.getByRole('dialog')).toContainText(readOnly)
  await expect(support.getByRole('dialog').locator('iframe')).toHaveCount(0)
}

test('a support agent sees an account under a grant, on a phone in German; its member sees it, and ends it', async ({
  page,
  guest,
  browser,
}) => {
  const desk = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'de-DE' })
  const support = await desk.newPage()
  await support.goto(`${at.account}/support`)
  await support.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(support, agent)
  await expect(support.getByRole('heading', { name: 'In einem Kundenkonto anmelden' })).toBeVisible()
  await openAccount(support, guest.email)
  await expect(support.getByText('Bei einem Konto mit dieser Adresse können Sie sich nicht anmelden')).toBeVisible()
  await expectAccessibleInBoth(support)

  // Granted in the page that is open: from then on it asks, and not before.
  const polls = recordPolls(page)
  await signIn(page, guest, '/account?tab=security-settings')
  await page.getByRole('button', { name: 'Set Access Duration' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 week', { exact: true }).click()
  expect(polls).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await support.getByRole('button', { name: 'Konto öffnen' }).click()
  const banner = support.getByRole('region', { name: 'als Support' })
  await expect(banner).toContainText('Nur Ansicht')
  const notice = page.getByRole('status').filter({ hasText: 'Sam Okoye of Folio Support' })
  await expect(notice).toContainText('The last invoice is missing (ticket\u00a0T-4711)')
  const activity = page.getByRole('region', { name: 'Activity' })
  await expect(activity.getByRole('row').filter({ hasText: 'Support session started' })).toContainText('T-4711')
  await page.getByRole('link', { name: 'My Orders' }).click()
  // The first is the default one, which nobody can delete.
  expect(await addBehind(page, ['10115', '10117'])).toEqual([200, 200])

  await expectToChangeNothing(support, banner)

  await expectAccessibleInBoth(page)
  await notice.getByRole('button', { name: 'End now' }).click()
  await expect(page.getByText('The support session was ended.')).toBeVisible()
  await expect(notice).toBeHidden()
  await support.reload()
  await expect(support.getByRole('heading', { name: 'Die Supportsitzung ist beendet' })).toBeVisible()

  await page.goto(`${at.account}/account?tab=security-settings`)
  await expect(activity.getByRole('row').filter({ hasText: 'Support session ended' })).toContainText('You')
  expect((await emailTo(page, guest.email, /Folio Support has signed in/)).text).toContain('Sam Okoye')
  // One every five seconds, and one more by the page that was loaded anew; a busy machine sees a request up to a second late.
  const lasted = (polls.at(-1) ?? 0) - (polls[0] ?? 0)
  expect(polls.length).toBeGreaterThan(1)
  expect(polls.length - 1).toBeLessThanOrEqual((lasted + 1000) / 5000 + 1)
  await desk.close()
})
