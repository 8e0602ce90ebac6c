import pg from 'pg'
import {
  at,
  emailTo,
  expect,
  expectAccessibleInBoth,
  expectNoSidewaysScroll,
  fillSignIn,
  signIn,
  test,
} from './support/journey.ts'

/** Every sign-in of a customer becomes so many minutes older. */
async function age(email: string, minutes: number) {
  const client = new pg.Client({ connectionString: process.env.ATRIUM_E2E_DATABASE })
  await client.connect()
  await client.query(
    `update account.sessions set fresh_at = fresh_at - $2 * interval '1 minute'
     from account.members where members.id = member_id and email = $1`,
    [email, minutes],
  )
  await client.end()
}

const question = 'Sign in again to continue'

test('support access is given after signing in again, with what was chosen before; who declines is told, and nothing changes', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, '/account?tab=security-settings')
  await age(guest.email, 11)
  const row = page.getByRole('row').filter({ hasText: 'Folio Support' })
  await row.getByRole('button', { name: 'Set Access Duration' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '3 months' })
  await dialog.getByText('3 months', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()

  const asked = page.getByRole('dialog', { name: question })
  await expect(asked).toContainText('Nothing you typed is lost.')
  await expectAccessibleInBoth(page)
  await asked.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toContainText('To do this, sign in again.')
  await expect(dialog.getByRole('radio', { name: /3 months/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Save' }).click()

  // Another tab signs in by the session of the single sign-on: that is no new login.
  const other = await page.context().newPage()
  await other.goto(`${at.account}/account/sign-in/`)
  await other.waitForURL(`${at.account}/account/signed-in**`)
  await other.close()
  await expect(asked).toBeVisible()
  const opened = page.waitForEvent('popup')
  await asked.getByRole('button', { name: 'Sign in', exact: true }).click()
  const popup = await opened
  await popup.waitForURL(`${at.sso}/cas/login**renew=true**`)
  await expect(popup.locator('input[type=email]')).toHaveValue(guest.email)
  await fillSignIn(popup, guest)

  await expect(page.getByText('Access duration changed successfully.').last()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Change Access Duration' })).toBeVisible()
})

test('who signs in with a provider alone enters a code from an email instead, in German on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const email = `anbieter-${Date.now()}@folio.test`
  await page.goto(`${at.account}/de/account?tab=security-settings`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await page.getByRole('button', { name: 'Weiter mit Google' }).click()
  await page.waitForURL(`${at.sandbox}/identity/**`)
  await page.locator('input[name=email]').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${at.account}/de/account?tab=security-settings`)
  await page.getByRole('button', { name: 'Zugriffsdauer festlegen' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '1 Woche' })
  await dialog.getByText('1 Woche', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Speichern' }).click()

  const asked = page.getByRole('dialog', { name: 'Melden Sie sich erneut an, um fortzufahren' })
  await expectNoSidewaysScroll(page)
  const opened = page.waitForEvent('popup')
  await asked.getByRole('button', { name: 'Anmelden', exact: true }).click()
  const popup = await opened
  await expect(popup.getByRole('heading', { name: 'Bestätigen Sie, dass Sie es sind' })).toBeVisible()
  await expectAccessibleInBoth(popup)
  await expectNoSidewaysScroll(popup)
  await popup.getByRole('button', { name: 'Code senden' }).click()
  await expect(popup.getByRole('status').filter({ hasText: 'Der Code ist unterwegs.' })).toBeVisible()
  await popup.getByLabel('Code', { exact: true }).fill(await codeIn(page, email))
  await popup.getByRole('button', { name: 'Weiter', exact: true }).click()

  await expect(page.getByText('Zugriffsdauer').last()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Zugriffsdauer ändern' })).toBeVisible()
})

async function codeIn(page: Parameters<typeof emailTo>[0], email: string): Promise<string> {
  const { text } = await emailTo(page, email, /Code/)
  return /^\d{6}$/m.exec(text)?.[0] ?? ''
}
