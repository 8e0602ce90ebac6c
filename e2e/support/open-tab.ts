import type { Page } from '@playwright/test'

/** Who is signed in on a page that journeys share, and by which session. */
interface Visitor {
  email: string
  session: string
}

const visitors = new WeakMap<Page, Visitor | undefined>()

/** Lets the page be opened at another tab without being loaded again. */
export function share(page: Page): void {
  visitors.set(page, undefined)
}

/** Whether a shared page is still theirs. */
export async function isVisitedBy(page: Page, email: string): Promise<boolean> {
  const visitor = visitors.get(page)
  return visitor?.email === email && visitor.session === (await sessionOf(page))
}

/** Signs out whoever visits a shared page. */
export async function leave(page: Page): Promise<void> {
  if (visitors.get(page)) await page.context().clearCookies()
}

/** Remembers who has signed in on a shared page. */
export async function remember(page: Page, email: string): Promise<void> {
  if (visitors.has(page)) visitors.set(page, { email, session: (await sessionOf(page)) ?? '' })
}

/**
 * Opens a path as a link of the page does.
 * @returns whether it could: where the page is not one of the account area in its language, or has an open dialog, it must be loaded
 */
export async function openTab(page: Page, path: string): Promise<boolean> {
  const { origin, pathname, searchParams } = new URL(page.url())
  if (!/\/account$/.test(pathname) || (await page.getByRole('heading', { level: 1 }).count()) === 0) return false
  const wanted = new URL(path, origin)
  if (pathname !== wanted.pathname || (await page.locator('[role=dialog], [role=alertdialog]').count()) > 0)
    return false

  // A screen that is open already would keep what was typed in it.
  const tab = wanted.searchParams.get('tab') ?? 'profile'
  if (tab === (searchParams.get('tab') ?? 'profile')) {
    if (tab === 'profile') return false
    await follow(page, '/account?tab=profile')
  }
  await follow(page, path)
  return true
}

async function follow(page: Page, path: string): Promise<void> {
  const title = await page.title()
  await page.evaluate((address) => history.pushState(null, '', address), path)
  await page.waitForFunction((before) => document.title !== before, title)
}

async function sessionOf(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'atrium_session')?.value
}
