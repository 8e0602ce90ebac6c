import { at, expect, signIn, test } from './support/journey.ts'

test('with the vendor’s own CAS server, Reset Password links to its page', async ({ page, guest }) => {
  await signIn(page, guest)
  // The page as account-server sends it with PASSWORD_URL.
  await page.route(/\/account\?/, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const sent = await response.text()
    const body = sent.replace('"passwordUrl":null', '"passwordUrl":"https://auth.example.com/password"')
    expect(body).not.toBe(sent)
    await route.fulfill({ response, body })
  })
  await page.goto(`${at.account}/account?tab=security-settings`)

  const link = page.getByRole('region', { name: 'Reset Password' }).getByRole('link', { name: 'Reset Password' })
  await expect(link).toHaveAttribute('href', 'https://auth.example.com/password')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(page.getByText('Change your password where you sign in.')).toBeVisible()
})
