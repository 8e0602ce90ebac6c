import { expect, goBack, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

test('a customer edits the profile and sees the change everywhere immediately', async ({ page, guest }) => {
  await signIn(page, guest)
  await expect(page.getByRole('main')).toContainText(guest.email)
  await expect(page.getByRole('main')).toContainText('+49 30 901820')
  await expect(page.getByRole('main')).toContainText('Germany')

  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('First name').fill('Grete')
  await dialog.getByLabel('Phone').fill('+1 212 555 0123')
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByText('Profile updated successfully.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main')).toContainText(`Grete ${guest.lastName}`)
  await expect(page.getByRole('main')).toContainText('+1 212 555 0123')
  await expect(page.getByRole('banner')).toContainText(`Grete ${guest.lastName}`)

  await page.reload()
  await expect(page.getByRole('main')).toContainText(`Grete ${guest.lastName}`)
})

for (const { field, value, message } of [
  { field: 'First name', value: '', message: 'Please enter your first name' },
  { field: 'Last name', value: '   ', message: 'Please enter your last name' },
  { field: 'First name', value: 'x'.repeat(33), message: 'Input character exceeds limit' },
  { field: 'Last name', value: 'x'.repeat(33), message: 'Input character exceeds limit' },
  { field: 'Phone', value: '1'.repeat(33), message: 'Input character exceeds limit' },
  { field: 'Company', value: 'x'.repeat(257), message: 'Input character exceeds limit' },
]) {
  test(`${field} of ${value.length} characters: “${message}”, focus on the field, nothing lost, nothing sent`, async ({
    page,
    reader,
  }) => {
    await signIn(page, reader)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(field).fill(value)
    await dialog.getByRole('button', { name: 'Save' }).click()

    await expect(dialog.getByText(message)).toBeVisible()
    await expect(dialog.getByLabel(field)).toBeFocused()
    await expect(dialog.getByLabel(field)).toHaveValue(value)
    expect(sent).toEqual([])
  })
}

test('a refusal of the server is shown at the field, and the form keeps its values', async ({ page, reader }) => {
  await signIn(page, reader)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog')
  await page.route('**/account/profile/', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'Invalid',
        status: 422,
        code: 'invalid',
        requestId: 'r-1',
        errors: [{ path: 'body.company', code: 'too_long', message: 'too_long' }],
      }),
    }),
  )
  await dialog.getByLabel('Company').fill('Kept')
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect(dialog.getByText('Input character exceeds limit')).toBeVisible()
  await expect(dialog.getByLabel('Company')).toHaveValue('Kept')
  await expect(dialog.getByLabel('Company')).toBeFocused()
})

test('a profile that cannot be loaded shows the failure and an empty list, and can be retried', async ({
  page,
  reader,
}) => {
  await signIn(page, reader)
  let fails = true
  await page.route('**/account/profile/**', (route) =>
    fails
      ? route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: '{"type":"about:blank","title":"Internal","status":500,"code":"internal","requestId":"r-42"}',
        })
      : route.continue(),
  )
  await page.reload()

  await expect(page.getByText('Failed to get profile data.')).toBeVisible()
  await expect(page.getByText('r-42')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Company')
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('main')).toContainText(reader.email)
})

test('on a phone, the first page says whether support has access, and one press shows who else does', async ({
  page,
  guest,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, guest)
  await expect(page.getByRole('main')).toContainText('Our support team can’t sign in to your account.')
  await page.getByRole('link', { name: 'See who has access' }).click()
  await expect(page.getByRole('heading', { name: 'Active Sessions' })).toBeVisible()

  await page.getByRole('button', { name: 'Set Access Duration' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 week', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await goBack(page, 0)
  await expect(page.getByRole('main')).toContainText(/Our support team can sign in to your account until .*20\d\d/)
})
