import { at, expect, expectAccessibleInBoth, expectAddress, signIn, test } from './support/journey.ts'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1'

test('who else is signed in is seen and signed out, at once and at the single sign-on; in German on a phone too', async ({
  page,
  guest,
  browser,
}) => {
  const elsewhere = await browser.newContext({ userAgent: phone })
  const other = await elsewhere.newPage()
  await signIn(other, guest, '/account')
  await signIn(page, guest, '/account?tab=security-settings')

  const sessions = page.getByRole('region', { name: 'Active Sessions' })
  await expect(sessions.getByRole('row').filter({ hasText: 'This session' })).toHaveCount(1)
  await expect(sessions.getByRole('row').filter({ hasText: 'Safari on iOS' })).toContainText('127.0.0.1')
  await expectAccessibleInBoth(page)
  await sessions.getByRole('button', { name: 'Sign out Safari on iOS' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Safari on iOS is signed out.').first()).toBeVisible()
  await expect(sessions.getByRole('row')).toHaveCount(2)
  await expect(sessions.getByRole('button', { name: 'Sign Out All Others' })).toBeHidden()

  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByRole('combobox', { name: 'Area' }).selectOption('Sign-in and password')
  await expect(page).toHaveURL(/area=sign_in/)
  await page.reload()
  await expect(activity.getByRole('row').filter({ hasText: 'Signed out' })).toHaveCount(1)
  await expect(activity.getByRole('row').filter({ hasText: 'Signed in' })).toHaveCount(2)

  // Its next request is refused, and the single sign-on asks for the password again.
  await other.reload()
  await expectAddress(other, `${at.sso}/cas/login`)
  await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()

  await signIn(other, guest, '/account')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${at.account}/de/account?tab=security-settings`)
  await page.getByRole('button', { name: 'Alle anderen abmelden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Alle anderen abmelden' }).click()
  await expect(page.getByText('Alle anderen Browser sind abgemeldet.').first()).toBeVisible()
  await other.reload()
  await expectAddress(other, `${at.sso}/cas/login`)
  await elsewhere.close()
})
