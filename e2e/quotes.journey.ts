import {
  at,
  choose,
  chosen,
  emailTo,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  signIn,
} from './support/journey.ts'
import { test } from './support/shared-page.ts'

const offline = '/account?tab=my-orders&list=offline'

test('Get a Quote: from the empty list to the email, and Back does not reopen the dialog', async ({ page, guest }) => {
  await signIn(page, guest, offline)
  await expect(page.getByText('No orders. Click Get a Quote to contact sales.')).toBeVisible()
  await page.getByRole('button', { name: 'Get a Quote' }).click()
  const dialog = page.getByRole('dialog', { name: 'Get a Quote' })
  await expect.poll(() => new URL(page.url()).searchParams.get('quote')).toBe('new')
  await expect(dialog.getByRole('combobox', { name: 'Product' })).toBeFocused()
  await expect(dialog.getByLabel('Company')).toHaveValue('Guest Books')
  await expect(chosen(dialog, 'Country')).toHaveText('Germany')

  await choose(page, 'Product', 'Folio PDF Editor for Mac')
  await dialog.getByLabel('Seats').fill('25')
  await dialog.getByLabel('Term').selectOption('Three years')
  await choose(page, 'Country', 'Austria')
  await dialog.getByLabel('Message (optional)').fill('For the office in Graz, please.')
  await dialog.getByRole('button', { name: 'Send request' }).click()

  await expect(page.getByRole('status').filter({ hasText: 'Our sales team will reply' })).toContainText(guest.email)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => new URL(page.url()).searchParams.get('quote')).toBeNull()
  const confirmation = await emailTo(page, guest.email, /quote/i)
  for (const detail of ['Folio PDF Editor for Mac', '25', 'Austria', 'For the office in Graz, please.'])
    expect(confirmation.text).toContain(detail)

  await page.goBack()
  await expect(dialog).toBeHidden()
})

test('missing values are reported at their fields, and nothing is sent', async ({ page, reader }) => {
  await signIn(page, reader, `${offline}&quote=new`)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Seats').fill('')
  await dialog.getByLabel('Company').fill('   ')
  await dialog.getByLabel('Message (optional)').fill('x'.repeat(2001))
  await dialog.getByRole('button', { name: 'Send request' }).click()
  for (const sentence of [
    'Please choose a product',
    'Please enter how many seats you need',
    'Please enter your company',
    'Input character exceeds limit',
  ])
    await expect(dialog.getByText(sentence)).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Product' })).toBeFocused()
  await dialog.getByLabel('Seats').fill('100,001')
  await expect(dialog.getByLabel('Seats')).toHaveValue('100,001')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog.getByText('Please enter at most 100,000 seats')).toBeVisible()
  await expectAccessible(page)
  expect(sent).toBe(0)
})

test('the sixth request of a day is refused with a message, and the form keeps its values', async ({ page, guest }) => {
  await signIn(page, guest, `${offline}&quote=new`)
  const request = { productCode: 'FPM', seats: 5, term: 'yearly', company: 'Guest Books', country: 'DE' }
  const statuses = await page.evaluate(
    async (body) => {
      const replies = []
      for (let count = 0; count < 5; count += 1) {
        const headers = { 'content-type': 'application/json' }
        replies.push((await fetch('/account/quotes/', { method: 'POST', headers, body })).status)
      }
      return replies
    },
    JSON.stringify({ ...request, kind: 'new' }),
  )
  expect(statuses).toEqual([200, 200, 200, 200, 200])

  const dialog = page.getByRole('dialog')
  await choose(page, 'Product', 'Folio PDF Editor for Mac')
  await dialog.getByLabel('Message (optional)').fill('One more, please.')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  const refusal = dialog.getByRole('alert')
  await expect(refusal).toContainText('You’ve sent several requests today. Our sales team has received them all.')
  await expect(refusal).toContainText(/Try again in 2[34]\shours\./)
  await expect(refusal).toBeFocused()
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('One more, please.')
  await expectAccessible(page)
})

test('a request that is refused or lost keeps the form’s values', async ({ page, guest }) => {
  await signIn(page, guest, `${offline}&quote=new`)
  const dialog = page.getByRole('dialog')
  await choose(page, 'Product', 'Folio PDF Editor for Mac')
  await page.route('**/account/quotes/', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our servers.')
  await page.unroute('**/account/quotes/')
  await page.route('**/account/quotes/form/**', async (route) => {
    const reply = await route.fetch()
    const known: { products: { code: string }[] } = await reply.json()
    const products = known.products.filter(({ code }) => code !== 'FPM')
    await route.fulfill({ response: reply, json: { ...known, products } })
  })
  let sent = 0
  await page.route('**/account/quotes/', (route) => {
    sent += 1
    return route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: '{"type":"about:blank","title":"x","status":409,"code":"unknown_product","requestId":"1"}',
    })
  })
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This product is no longer offered.')
  // The selected option is the one that is sent.
  await expect(chosen(dialog, 'Product')).toHaveText('Choose a product')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog.getByText('Please choose a product')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Product' })).toHaveCSS('outline-style', 'solid')
  expect(sent).toBe(1)
  await page.unroute('**/account/quotes/')
  await choose(page, 'Product', 'Folio PDF Editor')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog.getByRole('status')).toContainText('Our sales team will reply')
})

test('after a sign-out, the request waits for the sign-in, and the form keeps its values', async ({ page, reader }) => {
  await signIn(page, reader, `${offline}&quote=new`)
  const dialog = page.getByRole('dialog', { name: 'Get a Quote' })
  await choose(page, 'Product', 'Folio PDF Editor for Mac')
  await dialog.getByLabel('Message (optional)').fill('Typed before the end.')
  await page.context().clearCookies({ domain: 'localhost' })
  await dialog.getByRole('button', { name: 'Send request' }).click()
  const signedOut = page.getByRole('dialog', { name: 'You’ve been signed out' })
  await expect(signedOut).toBeVisible()
  await signedOut.getByRole('button', { name: 'Close' }).click()
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('Typed before the end.')
  await expect(chosen(dialog, 'Product')).toHaveText('Folio PDF Editor for Mac')
})

test('a link opens the dialog on any tab, reload keeps it, and closing returns to the tab', async ({
  page,
  reader,
}) => {
  await signIn(page, reader, '/account?tab=security-settings&quote=volume')
  const dialog = page.getByRole('dialog', { name: 'Request Quote of the Volume Discount' })
  await expect(dialog).toBeVisible()
  await page.reload()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=security-settings')

  await page.goto(`${at.account}/account?tab=profile&quote=everything`)
  await expect(page.getByRole('main')).toContainText(reader.email)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=profile')
})

test('the focus returns to the button, and Back closes the dialog', async ({ page, reader }) => {
  await signIn(page, reader, offline)
  const button = page.getByRole('main').getByRole('button', { name: 'Get a Quote' })
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a form that cannot be loaded shows the failure in the dialog, and can be retried', async ({
  ownPage: page,
  reader,
}) => {
  let fails = true
  await page.route('**/account/quotes/form/**', (route) => (fails ? route.abort() : route.continue()))
  await signIn(page, reader, `${offline}&quote=renewal`)
  const dialog = page.getByRole('dialog', { name: 'Request renewal quote' })
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our servers.')
  fails = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Product' })).toBeVisible()
})

test('on a phone, dark and in German, the dialog is an accessible sheet', async ({ page, reader }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await signIn(page, reader, `/de${offline}&quote=new`)
  const dialog = page.getByRole('dialog', { name: 'Angebot anfordern' })
  await expect(chosen(dialog, 'Land')).toHaveText('Deutschland')
  await expectAccessible(page)
  await expect(dialog.getByRole('link', { name: 'Datenschutzerklärung' })).toHaveAttribute(
    'href',
    /\/de\/company\/privacy-policy\.html$/,
  )
  await expectNoSidewaysScroll(page)
})

test('a double click sends one request, which is confirmed, and closes one dialog', async ({ page, guest }) => {
  await signIn(page, guest, '/account?tab=profile')
  await page.getByRole('link', { name: 'My Orders' }).click()
  await page.getByRole('tab', { name: 'Offline Orders' }).click()
  const dialog = page.getByRole('dialog', { name: 'Get a Quote' })
  const button = page.getByRole('main').getByRole('button', { name: 'Get a Quote' })
  for (const name of ['Close', 'Cancel']) {
    await button.dblclick()
    await expect(dialog.getByLabel('Company')).toBeVisible()
    await dialog.getByRole('button', { name }).dblclick()
    await expect(dialog).toBeHidden()
    await page.waitForTimeout(300)
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=my-orders&list=offline')
  }

  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1
  })
  await button.click()
  await choose(page, 'Product', 'Folio PDF Editor for Mac')
  await dialog.getByRole('button', { name: 'Send request' }).dblclick()
  await expect(dialog.getByRole('status')).toContainText('Our sales team will reply')
  await page.waitForTimeout(300)
  expect(sent).toBe(1)
})

test('a click outside the dialog does not lose the form’s values', async ({ page, reader }) => {
  await signIn(page, reader, `${offline}&quote=new`)
  const message = page.getByRole('dialog').getByLabel('Message (optional)')
  await message.fill('Typed.')
  await page.mouse.click(20, 400)
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(message).toHaveValue('Typed.')
})
