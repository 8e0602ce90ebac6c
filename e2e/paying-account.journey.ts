import { expect, expectAccessible, test } from './support/journey.ts'
import { subscribeAsAnybody } from './support/paypal.ts'
import { expectSubscription, openAddSeats } from './support/shop.ts'

test('what only an address says is theirs is changed with the PayPal account that pays for it alone', async ({
  page,
  guest,
}) => {
  await subscribeAsAnybody(guest.email, 'fpepb-monthly-usd')
  await expectSubscription(page, guest, '1 / 3', 'Active')

  const { dialog, row } = await openAddSeats(page, 'Continue to PayPal')
  const seats = dialog.getByRole('textbox', { name: 'Seats to add' })
  await seats.fill('2')
  await expect(dialog).toContainText('5 seats')
  await expect(dialog).toContainText('Please pay with the PayPal account that pays for this subscription')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  const paypal = page.getByRole('dialog', { name: 'Pay with PayPal' })
  await expect(paypal).toContainText('Please pay with the PayPal account that pays for this subscription')
  const button = paypal.frameLocator('iframe').getByRole('button')
  const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await popup.locator('button[value="approve-guest"]').click()
  const refusal = 'Only the PayPal account that pays for this subscription can pay for this change'
  await expect(dialog.getByRole('alert')).toContainText(refusal)
  await expect(seats).toHaveValue('2')
  await expectAccessible(page)

  // On PayPal's page: it begins again with the same number.
  await dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  await paypal.getByRole('button', { name: 'Open PayPal in this window' }).click()
  await page.locator('button[value="approve-other"]').click()
  await expect(paypal.getByRole('alert')).toContainText(refusal)
  await expectAccessible(page)
  await paypal.getByRole('button', { name: 'Try again' }).click()
  await expect(seats).toHaveValue('2')
  await dialog.getByRole('button', { name: /^Continue to PayPal/ }).click()
  await paypal.getByRole('button', { name: 'Open PayPal in this window' }).click()
  await page.locator('button[value="approve"]').click()
  await expect(page.getByRole('dialog', { name: 'You are almost there!' })).toContainText('was charged')
  await expect(row).toContainText('1 / 5')
})
