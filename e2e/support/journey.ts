import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Frame,
  type Locator,
  type Page,
  type WebError,
} from '@playwright/test'
import { z } from 'zod'
import { shortId } from '../../apps/account-web/src/page/short-id.ts'
import { purchasesFile } from '../../scripts/start/demo.ts'
import { type Guest, newGuest } from './guests.ts'
import { isVisitedBy, leave, openTab, remember } from './open-tab.ts'

export { expect } from '@playwright/test'

/** Addresses of the three programs. */
export const at = {
  get account() {
    return process.env.ATRIUM_E2E_ACCOUNT ?? ''
  },
  get sso() {
    return process.env.ATRIUM_E2E_SSO ?? ''
  },
  get sandbox() {
    return process.env.ATRIUM_E2E_SANDBOX ?? ''
  },
}

/** The id of what one of the demo's cast bought, by the name in `demo/folio/subscriptions.ts`: the provider gave it. */
export function demoSubscription(name: string): string {
  const ids: unknown = JSON.parse(readFileSync(join(process.env.ATRIUM_E2E_DIRECTORY ?? '', purchasesFile), 'utf8'))
  return z.record(z.string(), z.string()).parse(ids)[name] ?? name
}

/** How the list of subscriptions shows that id. */
export const shownSubscription = (name: string) => shortId(demoSubscription(name))

interface Fixtures {
  guest: Guest
  /** Fails the journey when the page breaks its own policy or throws. */
  watched: undefined
}

/** Of a worker; of `shared-page.ts`, but here, since Playwright runs last what has other fixtures of a worker. */
interface Kept {
  /** A guest whom no journey changes. */
  reader: Guest
  kept: { context?: BrowserContext; page?: Page }
}

export const test = base.extend<Fixtures, Kept>({
  // Playwright requires a destructuring pattern here.
  reader: [async ({ browserName: _ }, use) => use(await newGuest()), { scope: 'worker' }],
  kept: [async ({ browserName: _ }, use) => use({}), { scope: 'worker' }],
  guest: async ({ browserName: _ }, use) => {
    await use(await newGuest())
  },
  watched: [
    async ({ context }, use) => {
      const end = watch(context)
      await use(undefined)
      end()
    },
    { auto: true },
  ],
})

/** @returns ends it, and fails the journey when a page has broken its own policy or thrown */
export function watch(context: BrowserContext): () => void {
  const faults: string[] = []
  const hear = (message: ConsoleMessage) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
  }
  const note = (fault: WebError) => faults.push(fault.error().stack ?? fault.error().message)
  context.on('console', hear).on('weberror', note)
  return () => {
    context.off('console', hear).off('weberror', note)
    expect(faults).toEqual([])
  }
}

/** Signs in with the password, and opens a page of the account area. The sign-in page has its own journeys. */
export async function signIn(page: Page, person: Pick<Guest, 'email' | 'password'>, path = '/account') {
  const isSignedIn = await haveSession(page, person)
  if (!isSignedIn || !(await openTab(page, path))) await open(page, `${at.account}${path}`)
  await page.waitForURL(`${at.account}/**`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Opens an address, and again where the server was too busy: the page that says so would stay. */
async function open(page: Page, address: string) {
  await expect(async () => {
    const reply = await page.goto(address)
    expect(reply?.status() ?? 200).toBeLessThan(500)
  }).toPass()
}

/** Signs in without a page, unless the person still is. @returns whether they were */
export async function haveSession(page: Page, person: Pick<Guest, 'email' | 'password'>): Promise<boolean> {
  if (await isVisitedBy(page, person.email)) return true
  await leave(page)
  // Again where a program was too busy.
  await expect(() => beginSession(page, person)).toPass()
  await remember(page, person.email)
  return false
}

async function beginSession(page: Page, { email, password }: Pick<Guest, 'email' | 'password'>) {
  const begun = await page.request.get(`${at.account}/account/sign-in/`, { maxRedirects: 0 })
  const service = new URL(begun.headers().location ?? '').searchParams.get('service')
  const reply = await page.request.post(`${at.sso}/sso/sign-in/`, {
    headers: { origin: at.sso },
    data: { email, password, service },
  })
  expect(reply.status()).toBe(200)
  const { redirectUrl }: { redirectUrl: string } = await reply.json()
  await page.request.get(redirectUrl)
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name }) => name)).toContain('atrium_session')
}

/**
 * Waits until a page that goes on by itself has an address that begins so. Not `waitForURL`, nor a predicate: these fail where one navigation
 * overtakes another, as a reload and the redirect to the sign-in do.
 */
export async function expectAddress(page: Page, begin: string) {
  await expect.poll(() => page.url().slice(0, begin.length)).toBe(begin)
}

/** Back, once the history has an entry for each open dialog (a question has none): added, or left, a moment after the dialog itself. */
export async function goBack(page: Page, dialogs: number) {
  await expectEntriesOf(page, dialogs)
  await page.goBack()
}

/** As the page itself would: from outside, a busy browser may not know yet to which entry Back has led. */
export async function goForward(page: Page) {
  await page.evaluate(() => history.forward())
}

/** Waits for the history’s entries of so many open dialogs. */
export async function expectEntriesOf(page: Page, dialogs: number) {
  await expect.poll(() => page.evaluate(() => history.state?.dialogs ?? 0)).toBe(dialogs)
}

/** What lies wider than the window would make a phone’s page scroll sideways. */
export async function expectNoSidewaysScroll(frame: Page | Frame) {
  const excess = () => frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(excess, frame.url()).toBeLessThanOrEqual(0)
}

export async function fillSignIn(page: Page, { email, password }: Pick<Guest, 'email' | 'password'>) {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.locator('button[type=submit]').click()
}

/** Selects an option in the open dialog. */
export async function choose(page: Page, label: string, name: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).selectOption({ label: name })
}

/** The selected option of a select. */
export const chosen = (dialog: Locator, label: string) =>
  dialog.getByRole('combobox', { name: label }).locator('option:checked')

/** Checks all accessibility rules, or those that are named, once nothing loads or moves any more. */
export async function expectAccessible(page: Page, rules?: readonly string[]) {
  await expect.poll(() => page.evaluate(isSettled), 'nothing loads or moves').toBe(true)
  // Legacy mode is faster, but only for pages without frames: otherwise axe merges the results in a separate page.
  const isAlone = page.frames().length === 1
  // What keeps a rule is not described: that takes longer than the check.
  const options = { resultTypes: ['violations' as const], ...(rules && { runOnly: [...rules] }) }
  // Half a megabyte of script, of which a page needs only one.
  const hasAxe = isAlone && (await page.evaluate(() => 'axe' in window))
  const axe = new AxeBuilder({ page, ...(hasAxe && { axeSource: ';' }) }).options(options).setLegacyMode(isAlone)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/** Runs in the page: what is out of date is paler until its successor has arrived, and what appears fades in. */
function isSettled() {
  const endless = Number.POSITIVE_INFINITY
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== endless)
  return moving.length === 0 && !document.querySelector('[aria-busy="true"]')
}

/** Rules of axe that depend on the color scheme. */
const ofColors = ['color-contrast', 'link-in-text-block']

/** Checks accessibility in the light color scheme, and in the dark one what depends on it. */
export async function expectAccessibleInBoth(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ofColors)
}

interface Email {
  subject: string
  text: string
  links: string[]
}

/** Waits for an email to `address` and returns the newest. */
export async function emailTo(page: Page, address: string, subject?: RegExp) {
  let email: Email | undefined
  await expect
    .poll(async () => {
      const reply = await page.request.get(`${at.sandbox}/mail/api/messages?to=${encodeURIComponent(address)}`)
      const { list }: { list: Email[] } = await reply.json()
      email = list.find((entry) => !subject || subject.test(entry.subject))
      return email !== undefined
    })
    .toBe(true)
  if (!email) throw new Error('no email')
  return email
}
