import type { Page, Route } from '@playwright/test'
import { addBehind, addresses, box, cards, openAdd, openMenu, save } from './support/addresses.ts'
import { choose, chosen, expect, expectAccessible, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

const wire = '**/account/billing-addresses/**'

/** Records the changes that the page sends. */
function changes(page: Page) {
  const sent: { method: string; key: string | undefined }[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' || !request.url().includes('/billing-addresses/')) return
    sent.push({ method: request.method(), key: request.headers()['idempotency-key'] })
  })
  return sent
}

/** The server executes the request, but its answer is lost. */
async function loseAnswer(route: Route) {
  if (route.request().method() !== 'POST') return route.continue()
  expect((await route.fetch()).status()).toBe(200)
  await route.abort()
}

for (const { country, sentences, focus } of [
  {
    country: 'United States',
    sentences: ['Please enter the address', 'Please enter the city', 'Please enter the zip'],
    focus: 'Address',
  },
  {
    country: 'Malaysia',
    sentences: ['Please enter the address', 'Please enter the city', 'Please enter the zip'],
    focus: 'Address',
  },
  {
    country: 'India',
    sentences: ['Please enter the address', 'Please enter the city', 'Please enter the zip'],
    focus: 'Address',
  },
  { country: 'Japan', sentences: ['Please enter the zip'], focus: 'Zip' },
]) {
  test(`${country}: missing values are reported at their fields, and nothing is sent`, async ({ page, reader }) => {
    await signIn(page, reader, addresses)
    const sent = changes(page)
    const dialog = await openAdd(page)
    await choose(page, 'Country/Region', country)
    await expect(dialog.getByRole('combobox', { name: 'State/Province' })).not.toHaveValue('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    for (const sentence of sentences) await expect(dialog.getByText(sentence)).toBeVisible()
    await expect(dialog.getByText(/^Please/)).toHaveCount(sentences.length)
    await expect(box(dialog, focus)).toBeFocused()
    await expectAccessible(page)
    expect(sent).toEqual([])
  })
}

test('a missing state or country and a too long street are all reported, and the first gets the focus', async ({
  page,
  reader,
}) => {
  // A profile without a country.
  await page.route('**/billing-addresses/form/**', async (route) => {
    const reply = await route.fetch()
    const isOfProfile = !new URL(route.request().url()).searchParams.has('country')
    const body = await reply.json()
    await route.fulfill({ response: reply, json: isOfProfile ? { ...body, country: '', stateList: [] } : body })
  })
  await signIn(page, reader, addresses)
  await page.reload()
  const sent = changes(page)
  const dialog = await openAdd(page)
  await box(dialog, 'Address').fill('x'.repeat(257))
  await dialog.getByRole('button', { name: 'Save' }).click()
  for (const sentence of ['Please select the country/region', 'Input character exceeds limit', 'Please enter the zip'])
    await expect(dialog.getByText(sentence)).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Country/Region' })).toBeFocused()
  expect(sent).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(dialog).toBeHidden()

  await page.unroute('**/billing-addresses/form/**')
  await page.reload()
  await openAdd(page)
  await box(dialog, 'Zip').fill('10001')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter the state/province')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toBeFocused()
  expect(sent).toEqual([])
})

test('after a lost answer the form keeps its values; sent again with the same key, the address is added once', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, addresses)
  const sent = changes(page)
  const dialog = await openAdd(page)
  await choose(page, 'State/Province', 'Hamburg')
  await box(dialog, 'Address').fill('Große Bleichen 21')
  await box(dialog, 'Zip').fill('20354')
  await page.route(wire, loseAnswer)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our servers.')
  await expect(dialog.getByRole('alert')).toBeFocused()
  await expect(box(dialog, 'Address')).toHaveValue('Große Bleichen 21')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Hamburg')
  await expectAccessible(page)
  await page.unroute(wire)
  await dialog.getByRole('button', { name: 'Save' }).dblclick()
  await expect(dialog).toBeHidden()
  await expect(cards(page)).toHaveText([/Große Bleichen 21\s*20354\s*Hamburg/])
  expect(sent).toHaveLength(2)
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('after a lost answer, changed values do not add a second address: the dialog says so, and the list shows the first', async ({
  page,
  guest,
}) => {
  await signIn(page, guest, addresses)
  const dialog = await openAdd(page)
  await choose(page, 'State/Province', 'Hamburg')
  await box(dialog, 'Zip').fill('20354')
  await page.route(wire, loseAnswer)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our servers.')
  await page.unroute(wire)
  await box(dialog, 'Zip').fill('20355')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This was already submitted with different details.')
  await expect(box(dialog, 'Zip')).toHaveValue('20355')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(cards(page)).toHaveText([/20354/])
})

test('a refusal of the server is shown at its field; the next request has a new key', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  const sent = changes(page)
  const dialog = await openAdd(page)
  await choose(page, 'State/Province', 'Hamburg')
  await box(dialog, 'Zip').fill('20354')
  await page.route(wire, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            ...{ type: 'about:blank', title: 'Invalid', status: 422, code: 'invalid', requestId: 'r-1' },
            errors: [{ path: 'body.orderBillState', code: 'state_required', message: 'state_required' }],
          }),
        })
      : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter the state/province')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toBeFocused()
  await expect(box(dialog, 'Zip')).toHaveValue('20354')
  await page.unroute(wire)
  await save(page)
  expect(sent).toHaveLength(2)
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('states that failed to load can be requested again, and nothing can be saved without them', async ({
  page,
  reader,
}) => {
  let fails = true
  await signIn(page, reader, addresses)
  await page.route('**/billing-addresses/form/**country=US**', (route) => (fails ? route.abort() : route.continue()))
  await page.reload()
  const dialog = await openAdd(page)
  await choose(page, 'Country/Region', 'United States')
  await expect(dialog.getByRole('alert')).toContainText('States and provinces could not be loaded.')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(page)
  const again = dialog.getByRole('button', { name: 'Try again' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(again).toBeFocused()
  fails = false
  await page.keyboard.press('Enter')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Alabama')
  await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
})

test('typing before the states are loaded does not choose a state', async ({ page, reader }) => {
  await signIn(page, reader, addresses)
  const answers = Promise.withResolvers<void>()
  await page.route('**/billing-addresses/form/**country=CA**', async (route) => {
    await answers.promise
    await route.continue()
  })
  await page.reload()
  const dialog = await openAdd(page)
  await page.keyboard.type('canada')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toBeFocused()
  await page.keyboard.type('ont')
  answers.resolve()
  await expect(chosen(dialog, 'State/Province')).toHaveText('Choose a state/province')
  await expect(dialog.getByRole('combobox', { name: 'State/Province' })).toBeFocused()
  // A browser combines letters typed within a second into one search.
  await page.waitForTimeout(1100)
  await page.keyboard.type('ont')
  await expect(chosen(dialog, 'State/Province')).toHaveText('Ontario')
})

test('a dialog that becomes interactive late does not move the focus', async ({ ownPage: page, guest }) => {
  await signIn(page, guest, addresses)
  await page.evaluate(() => {
    const { setTimeout } = window
    window.setTimeout = ((run: () => void, ms = 0) => setTimeout(run, ms < 5 ? 1000 : ms)) as typeof setTimeout
  })
  const dialog = await openAdd(page)
  await page.keyboard.press('Tab')
  const state = dialog.getByRole('combobox', { name: 'State/Province' })
  await expect(state).toBeFocused()
  await page.waitForTimeout(1500)
  await expect(state).toBeFocused()
})

test('a list and a form that cannot be loaded show the failure in their place', async ({ ownPage: page, guest }) => {
  await signIn(page, guest)
  let fails = true
  await page.route(wire, (route) => (fails ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'Billing Address' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('We cannot reach our servers.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Address Management')
  await expectAccessible(page)
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No billing addresses yet.')).toBeVisible()
  fails = true
  await page.getByRole('button', { name: 'Add Address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Address' })
  await expect(dialog.getByRole('alert')).toContainText('We cannot reach our servers.')
  fails = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(chosen(dialog, 'Country/Region')).toHaveText('Germany')
})

test('a refused change of the default is undone, with the reason', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  await addBehind(page, ['10001', '10002'])
  await page.reload()
  await page.route(wire, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await (await openMenu(page, '10002')).getByRole('menuitem', { name: 'Set as Default' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'We cannot reach our servers.' })).toBeVisible()
  await expect(cards(page)).toHaveText([/Default.*10001/s, /10002/])
  await expect(cards(page).last()).not.toContainText('Default')
})

test('a change in another tab is reported, and the list is updated', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  await addBehind(page, ['10001', '10002'])
  await page.reload()
  const elsewhere = await page.context().newPage()
  await elsewhere.goto(page.url())
  // A tab in the background draws once a second.
  await page.bringToFront()
  await (await openMenu(page, '10002')).getByRole('menuitem', { name: 'Delete' }).click()
  await elsewhere.bringToFront()
  await (await openMenu(elsewhere, '10002')).getByRole('menuitem', { name: 'Set as Default' }).click()
  await expect(elsewhere.getByText('Set as Default Success')).toBeVisible()
  await page.bringToFront()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This is the default. Make another one the default first.')
  await expect(page.getByRole('dialog', { name: 'Nothing was changed' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(cards(page)).toHaveText([/Default.*10002/s, /10001/])

  await elsewhere.bringToFront()
  await (await openMenu(elsewhere, '10001')).getByRole('menuitem', { name: 'Delete' }).click()
  await elsewhere.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(cards(elsewhere)).toHaveCount(1)
  await page.bringToFront()
  await (await openMenu(page, '10001')).getByRole('menuitem', { name: 'Set as Default' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This no longer exists.' })).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
