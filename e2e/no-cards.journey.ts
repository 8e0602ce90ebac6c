import { at, expect, signIn, test } from './support/journey.ts'

test('without a card provider there is no tab for cards, and its address opens the profile', async ({
  page,
  guest,
}) => {
  await signIn(page, guest)
  const menu = page.getByRole('navigation', { name: 'Account menu' })
  await expect(menu.getByRole('link', { name: 'Payment Option' })).toBeVisible()

  // The page as account-server sends it with CARD_PROVIDER=none.
  await page.route(/\/account\?/, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const sent = await response.text()
    const body = sent.replace(/"cards":\{[^}]*\}/, '"cards":null')
    expect(body).not.toBe(sent)
    await route.fulfill({ response, body })
  })
  await page.goto(`${at.account}/account?tab=payment-option-management`)

  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await expect(page).toHaveURL(/tab=profile/)
  await expect(menu.getByRole('link', { name: 'Billing Address' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Payment Option' })).toHaveCount(0)
})
