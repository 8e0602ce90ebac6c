import jaTeam from '@atrium/locales/ja-jp/team.json' with { type: 'json' }
import type { Browser, Page } from '@playwright/test'
import { desktopProduct, newMac, product } from './support/desktop-product.ts'
import { type Guest, newGuest } from './support/guests.ts'
import { importRecords } from './support/import.ts'
import {
  at,
  demoSubscription,
  emailTo,
  expect,
  expectAccessible,
  expectEntriesOf,
  expectNoSidewaysScroll,
  fillSignIn,
  signIn,
  test,
} from './support/journey.ts'
import { demo, licenses, query, rows } from './support/lists.ts'

test('Manage User opens by subId; its breadcrumb, Back and the menu leave it', async ({ page }) => {
  await signIn(page, demo('ada'), `${licenses}&sku=pdf-editor-plus`)
  await page.getByRole('link', { name: 'Manage User: L-2026-0412' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Manage User/ })).toBeFocused()
  await expect
    .poll(() => query(page))
    .toEqual({
      tab: 'license-management',
      sku: 'pdf-editor-plus',
      subId: demoSubscription('ada-editor'),
    })
  await expect(page.getByText(/^3\sof 12\sseats used\s· 1\sinvited \(until .+\)\s· 8\sfree$/)).toBeVisible()
  await expect(rows(page)).toHaveCount(8)
  await expect(rows(page).nth(1)).toContainText('ada@folio.test')
  await expect(rows(page).nth(1)).toContainText('Owner')
  await expect(rows(page).filter({ hasText: 'mina@' })).toContainText('Setup Admin')
  await expect(rows(page).filter({ hasText: 'jonas.berg@' })).toContainText('Pending')
  await expect(rows(page).filter({ hasText: 'linus@' })).toContainText('No license')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'License Management' }).click()
  await expect(page.getByText('L-2026-0412')).toBeVisible()
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management', sku: 'pdf-editor-plus' })
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Manage User')
  await page.getByRole('link', { name: 'License', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('License Management')
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management' })
})

test('the AI assistant has Members only, with their credits, and none without a free seat', async ({ page }) => {
  await signIn(page, demo('ada'), `${licenses}&subId=${demoSubscription('ada-assistant')}`)
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog', { name: /^Add users to/ })
  await expect(dialog).toContainText('Everyone you add is a Member, with 2000 credits a month.')
  await expect(dialog.getByRole('radio')).toHaveCount(0)

  await page.route('**/account/subscriptions/*/users/**', async (route) => {
    const reply = await route.fetch()
    const { subscribeDetail, ...users } = await reply.json()
    await route.fulfill({
      json: { ...users, subscribeDetail: { ...subscribeDetail, joinCount: subscribeDetail.userCount } },
    })
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Add User' })).toBeDisabled()
})

test('an unknown subscription, or one they may not manage, shows an error with a link back', async ({ page }) => {
  await signIn(page, demo('pia'), `${licenses}&subId=${demoSubscription('ada-editor')}`)
  await expect(page.getByRole('alert')).toContainText('You can’t manage this subscription’s users.')
  await page.goto(`${at.account}${licenses}&subId=${demoSubscription('grace-editor')}`)
  await expect(page.getByRole('alert')).toContainText('Subscription not found in your account.')
  await page.getByRole('button', { name: 'Back to License Management' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('License Management')
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management' })
})

const created = '2026-05-01T10:00:00Z'

/** A subscription of three seats, whose Owner is a guest. */
async function team({ email }: Guest, productCode = 'FPEPB'): Promise<string> {
  const subscriptionId = `TEAM-${productCode}-${email.replaceAll(/\D/g, '')}`
  const subscription = { subscriptionId, email }
  await importRecords(subscriptionId, [
    {
      ...{ type: 'subscription', ...subscription, productCode, status: 'active', userCount: 3 },
      ...{ origin: 'online', channel: 'card', autoRenewal: true, periodStart: created },
    },
    { type: 'seat', ...subscription, seatType: 2, status: 'Accepted', isUse: true, invited: created },
  ])
  return subscriptionId
}

/** The link in the newest invitation to an address. */
async function invitationTo(page: Page, address: string): Promise<string> {
  const { links } = await emailTo(page, address, /^You are invited to/)
  return links.find((link) => link.includes('invitation=')) ?? ''
}

/** In a browser of their own. */
async function openAlone(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(address)
  return page
}

async function signUp(page: Page, email: string): Promise<Page> {
  await page.locator('input[autocomplete=given-name]').fill('Nia')
  await page.locator('input[autocomplete=family-name]').fill('Newcomer')
  await expect(page.locator('input[type=email]')).toHaveValue(email)
  await page.locator('input[autocomplete=new-password]').fill('A-long-enough-one-5')
  await page.locator('button[type=submit]').click()
  const confirmation = await emailTo(page, email, /confirm/i)
  const confirmed = await page.context().newPage()
  await confirmed.goto(confirmation.links[0] ?? '')
  await confirmed.locator('input[autocomplete=current-password]').fill('A-long-enough-one-5')
  await confirmed.locator('button[type=submit]').click()
  await expect(confirmed.getByRole('heading', { level: 1 })).toHaveText('Your account is ready')
  return confirmed
}

/** First without an address, then with one that is none. */
async function inviteTwo(page: Page, addresses: string) {
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog', { name: /^Add users to/ })
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await expect(dialog).toContainText('Please enter email address')
  await dialog.getByLabel('Email addresses').fill('nobody')
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await expect(dialog).toContainText('Please enter a valid email address.')
  await expectAccessible(page)
  await dialog.getByLabel('Email addresses').fill(addresses)
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await expect(page.getByText('Users added successfully. An invitation email has been sent.')).toBeVisible()
}

/** Nothing is sent while an address is none; one's own is refused by the server. */
async function inviteInVain(page: Page, own: string) {
  const dialog = page.getByRole('dialog', { name: /^Add users to/ })
  const emails = dialog.getByLabel('Email addresses')
  await emails.fill(`bad@, ${own}`)
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await expect(emails).toHaveAccessibleDescription(/Please enter a valid email address\.\s*bad@/)
  await emails.fill(own)
  await dialog.getByRole('button', { name: 'Send invitations' }).click()
  await expect(page.getByRole('dialog')).toContainText('Your own address')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  // Its entry is left a moment later, which would stop what is opened then.
  await expectEntriesOf(page, 0)
}

/** The product on the member's computer. */
async function activate(member: Page, desktop: Awaited<ReturnType<typeof desktopProduct>>) {
  await member.goto(`${at.sso}/cas/login?service=${encodeURIComponent(desktop.service)}`)
  await member.getByRole('button', { name: 'Sign in to the program' }).click()
  await expect(member.getByText('You may close this window.')).toBeVisible()
  const mac = newMac()
  const { activationId, status } = await product(member, 'activate', {
    ...{ method: 'email', ticket: desktop.ticket(), service: desktop.service, appCode: 'FPEPB' },
    ...{ hostName: 'TEAM-BOOK', mac, appName: 'Folio PDF Editor+', appVersion: '14.0.1' },
  })
  expect(status).toBe(200)
  return { activationId, mac }
}

test('two people are invited and accept, one with a new account; one gets another role, one is removed with their device', async ({
  page,
  guest,
  browser,
}) => {
  const known = await newGuest()
  const unknown = known.email.replace('guest', 'invited')
  const sid = await team(guest)
  await signIn(page, guest, `${licenses}&subId=${sid}`)
  await inviteTwo(page, `${known.email}, ${unknown}`)
  await expect(page.getByText(/^1\sof 3\sseats used\s· 2\sinvited \(the first until .+\)\s· 0\sfree$/)).toBeVisible()

  // Without a free seat only Setup Admins can be added.
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog', { name: /^Add users to/ })
  await expect(dialog.getByRole('radio', { name: /^Setup Admin/ })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: /^Member/ })).toBeDisabled()
  await expect(page.getByText('The Owner can also buy more seats in My Subscriptions.')).toBeVisible()
  await inviteInVain(page, guest.email)

  // The Owner's own browser is not the invited person's.
  await page.goto(await invitationTo(page, known.email))
  await expect(page.getByRole('main')).toContainText(`but this invitation is for ${known.email}.`)
  await expect(page.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account')
  await expectAccessible(page)

  const member = await openAlone(browser, await invitationTo(page, known.email))
  await member.getByRole('button', { name: 'Sign in', exact: true }).click()
  await member.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(member, known)
  await member.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(member.getByRole('heading', { name: /^Welcome to/ })).toBeVisible()

  const invited = await openAlone(browser, await invitationTo(page, unknown))
  await invited.getByRole('button', { name: 'Create an account' }).click()
  // The link of the confirmation opens a window that knows nothing of the invitation.
  const newcomer = await signUp(invited, unknown)
  await newcomer.getByRole('link', { name: 'Sign in' }).click()
  await expect(newcomer.locator('input[type=email]')).toHaveValue(unknown)
  await fillSignIn(newcomer, { email: unknown, password: 'A-long-enough-one-5' })
  await newcomer.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(newcomer.getByRole('heading', { name: /^Welcome to/ })).toBeVisible()
  await newcomer.reload()
  await expect(newcomer.getByRole('heading', { name: 'Already accepted' })).toBeVisible()
  await expect(newcomer.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', /tab=my-products$/)

  await using desktop = await desktopProduct()
  const device = await activate(member, desktop)

  await page.goto(`${at.account}${licenses}&subId=${sid}`)
  const rowOf = (email: string) => rows(page).filter({ hasText: email })
  await expect(page.getByText('3 of 3 seats used · 0 free')).toBeVisible()
  await page.getByRole('button', { name: `More actions: ${unknown}` }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('The account role changed successfully.')).toBeVisible()
  await expect(rowOf(unknown)).toContainText('Setup Admin')
  await expect(page.getByText('2 of 3 seats used · 1 free')).toBeVisible()

  await page.getByRole('button', { name: `Remove: ${known.email}` }).click()
  await expect(page.getByRole('dialog')).toContainText(/seats you pay for stays the same.*1\sdevice is deactivated/s)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('User removed successfully.')).toBeVisible()
  await expect(rowOf(known.email)).toHaveCount(0)
  expect(await product(page, 'validate', device)).toMatchObject({ status: 200, state: 'deactivated' })

  // The new Setup Admin manages the users now, and finds them in My Subscriptions.
  await newcomer.goto(`${at.account}/account?tab=my-subscriptions`)
  await newcomer.getByRole('link', { name: /^Manage/ }).click()
  await expect(newcomer.getByRole('button', { name: 'Add User' })).toBeEnabled()
  await newcomer.context().close()
  await member.context().close()
})

test('an Owner gives their own license up and takes it back; a lapsed invitation is sent again', async ({
  page,
  guest,
}) => {
  const sid = await team(guest)
  const late = guest.email.replace('guest', 'late')
  const invited = { seatType: 0, status: 'Pending', isUse: false, invited: created }
  await importRecords(`${sid}-late`, [{ type: 'seat', subscriptionId: sid, email: late, ...invited }])
  await signIn(page, guest, `${licenses}&subId=${sid}`)

  for (const [action, done] of [
    ['Deactivate', 'The license was deactivated successfully.'],
    ['Activate', 'The license was activated successfully.'],
  ] as const) {
    await page.getByRole('button', { name: `${action} license: ${guest.email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
    await expect(page.getByText(done)).toBeVisible()
  }
  await page.getByRole('button', { name: `Resend invitation: ${late}` }).click()
  await expect(page.getByText('Invitation email sent successfully.')).toBeVisible()
  expect(await invitationTo(page, late)).not.toBe('')
})

test('on a phone and in Japanese a Setup Admin searches the users, and is asked before one is removed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn(page, demo('mina'), `/ja-jp${licenses}&subId=${demoSubscription('ada-editor')}`)
  await page.getByPlaceholder(jaTeam.searchPlaceholder).fill('PIA')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: jaTeam.list }).getByRole('listitem')).toHaveCount(1)
  await expect.poll(() => query(page)).toMatchObject({ user: 'PIA' })
  await page.getByRole('button', { name: new RegExp(`${jaTeam.actions.remove}.*pia@folio`) }).click()
  await expect(page.getByRole('dialog')).toContainText('pia@folio.test')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('on a phone, three presses lead to what a colleague who leaves will lose, and where else they are', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, demo('ada'))
  await page.getByRole('button', { name: 'Search' }).click()
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').fill('pia@')
  const users = palette.getByRole('group', { name: 'Users' })
  await users.getByRole('option', { name: /^pia@folio\.test.*Folio PDF Editor\+ Business/s }).click()
  await page.getByRole('button', { name: 'Remove: pia@folio.test' }).click()

  const question = page.getByRole('dialog', { name: 'Remove pia@folio.test?' })
  await expect(question).toContainText('MOREAU-BUREAU')
  await expect(question).toContainText('They’ll still be a user of 1 other subscription:')
  const other = question.getByRole('link', { name: 'Folio eSign Business' })
  await expect(other).toHaveAttribute('href', /subId=.*&user=pia/)
  await expectAccessible(page)
})

test('on a phone, a colleague of two subscriptions is removed from one, and from there from the other', async ({
  page,
  guest,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const colleague = (await newGuest()).email
  const first = await team(guest)
  const second = await team(guest, 'FESB')
  for (const subscriptionId of [first, second]) {
    const seat = { seatType: 0, status: 'Accepted', isUse: true, invited: created }
    await importRecords(`${subscriptionId}-colleague`, [{ type: 'seat', subscriptionId, email: colleague, ...seat }])
  }
  await signIn(page, guest, `${licenses}&subId=${first}`)
  const remove = page.getByRole('button', { name: `Remove: ${colleague}` })
  const confirm = page.getByRole('dialog', { name: `Remove ${colleague}?` }).getByRole('button', { name: 'Remove' })
  await remove.click()
  await confirm.click()

  const outcome = page.getByRole('dialog', {
    name: `${colleague} was removed from Folio PDF Editor+ Business`,
  })
  await expect(outcome.getByRole('status')).toContainText('Still a user of:')
  await expectAccessible(page)
  await outcome.getByRole('link', { name: 'Folio eSign Business' }).click()
  await expect(outcome).toHaveCount(0)
  await expect.poll(() => query(page)).toEqual({ tab: 'license-management', subId: second, user: colleague })

  await remove.click()
  await confirm.click()
  await expect(page.getByText('User removed successfully.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect.poll(() => query(page)).toMatchObject({ subId: first })
})
