import type { Locator } from '@playwright/test'
import { at, expect, signIn, test } from './support/journey.ts'
import { demo } from './support/lists.ts'

const places = [
  { who: 'ada', width: 1280, height: 860, path: '/account?tab=my-orders', title: 'My Orders', menu: 'License' },
  {
    who: 'ada',
    width: 390,
    height: 844,
    path: '/de/account?tab=my-products',
    title: 'Meine Produkte',
    menu: undefined,
  },
  // Her payment has failed, which is said below the lead.
  {
    who: 'grace',
    width: 390,
    height: 844,
    path: '/account?tab=device-management',
    title: 'Device Management',
    menu: undefined,
  },
] as const

for (const { who, width, height, path, title, menu } of places) {
  test(`at ${width} pixels ${who}’s page shows the frame by its HTML alone, and the script takes over without a jump`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    await signIn(page, demo(who))
    await page.route('**/assets/**', (route) => route.abort())
    await page.goto(`${at.account}${path}`)
    const drawn = page.locator('#first-paint')
    await expect(drawn.locator('h1')).toHaveText(title)
    await expect(page).toHaveTitle(`${title} · Folio`)
    if (menu) await expect(drawn.getByText(menu, { exact: true })).toBeVisible()
    const before = await placesOf(drawn)

    await page.unroute('**/assets/**')
    await page.reload()
    await expect(drawn).toHaveCount(0)
    // The heading of the skeleton gives way to the screen’s.
    await page.waitForLoadState('networkidle')
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toContainText(title)
    await expect.poll(() => placesOf(page.locator('main'))).toEqual(before)
  })
}

/** Where the title and the lead stand, and in which font; not how wide their boxes are. */
async function placesOf(frame: Locator) {
  const title = frame.locator('h1')
  const lead = frame.locator('h1 + p')
  const [titleBox, leadBox] = [await title.boundingBox(), await lead.boundingBox()]
  const [titleFont, leadFont] = await Promise.all(
    [title, lead].map((line) => line.evaluate((element) => getComputedStyle(element).font)),
  )
  return {
    title: [titleBox?.x, titleBox?.y, titleBox?.height, titleFont],
    lead: [leadBox?.x, leadBox?.y, leadBox?.height, leadFont, await lead.textContent()],
  }
}

test('an invitation’s page does not begin as another page', async ({ page }) => {
  await signIn(page, demo('ada'))
  const reply = await page.request.get(`${at.account}/account?invitation=${'A'.repeat(43)}`)
  expect(await reply.text()).not.toContain('id="first-paint"')
})
