import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'en')

/** All English texts; `{}` stands for a value. */
const english = new Set(
  readdirSync(folder).flatMap((file) => textsIn(JSON.parse(readFileSync(join(folder, file), 'utf8')))),
)

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replaceAll(/\{\{[^}]*\}\}/g, '{}')]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What both specifications quote, misspelt or not: docs/decisions/003. */
const specified = [
  // 000 §5, §8
  'Please enter your first name',
  'Please enter your last name',
  'Input character exceeds limit',
  'Please select the country/region',
  'Please enter the address',
  'Please enter the city',
  'Please enter the state/province',
  'Please enter the zip',
  'The number of billing addresses added exceeds the limit. Please delete or change an existing billing address.',
  'The number of payment methods added exceeds the limit. Please delete or change an existing payment method.',
  'Profile updated successfully.',
  'Access duration changed successfully.',
  'Password reset successfully. Please log in again.',
  'Address added successfully.',
  'Address modified successfully.',
  'Set as Default Success',
  'Address removed successfully.',
  'Credit Card updated successfully.',
  'Credit Card removed successfully.',
  'The device deactivated successfully.',
  'Keycode file downloaded successfully.',
  'Copied successfully.',
  'Failed to change the access duration.',
  'Failed to get profile data.',
  'Failed to reset password, Please try again later.',
  'Failed to copy.',
  'No access granted yet',
  'No orders. Click Get a Quote to contact sales.',
  // 001 §2, §4
  'Search by subscription or product',
  'Free Trial',
  'Payment Failed',
  'Trial',
  'Active',
  'Expired',
  'Free',
  'Expires on {}',
  'Renews on {}',
  'Auto-renewal resumed successfully',
  'You are almost there!',
  'CONTINUE TO VERIFY',
  'Upgraded Successfully!',
  'Purchased Successfully!',
  'Renewed Successfully!',
  'Resend {}s',
  // 001 §5, §8
  'Please select a reason why you cancle your subscription.',
  'Please enter a valid email address.',
  'Please enter recipient account',
  'Please enter verification code for current account',
  'Please enter verification code for recipient account',
  'Error sending verification code',
  'The bank requires 3D Secure authentication for this payment',
  'No,thanks',
  'Please select the role you want to assign to the user(s)',
  'Please enter email address',
  'Please enable envelope sharing before purchasing {} Connectors.',
  'Users added successfully. An invitation email has been sent.',
  'Invitation email sent successfully.',
  'The account role changed successfully.',
  'User removed successfully.',
  'The license was activated successfully.',
  'The license was deactivated successfully.',
  'No subscriptions.',
  'No Product',
  "It looks like you don't currently have any active {} product trials or licenses.",
]

test.each(specified)('“%s” is an English text, to the letter', (text) => {
  expect(english).toContain(text)
})

/** What a longer text begins with, which then says what to do. */
const beginnings = ['No devices. ', 'No data. ', 'Exceeds the maximum purchase quantity(40) for this product.']

test.each(beginnings)('“%s” begins an English text, to the letter', (text) => {
  expect([...english].filter((each) => each.startsWith(text))).not.toEqual([])
})
