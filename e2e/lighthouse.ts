import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { browserSwitches, findBrowser } from '../scripts/browser.ts'
import globalSetup from './support/global-setup.ts'
import { at, signIn } from './support/journey.ts'

/** `npm run lighthouse [-- --runs N]`: what Lighthouse gives the built pages on a phone, as a median. Needs a quiet machine. */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })

const tabs = ['profile', 'my-orders', 'my-subscriptions']
/** Points, and the fewest that will do. */
const limits = { performance: 80, accessibility: 100, 'best-practices': 100 }
const categories = ['performance', 'accessibility', 'best-practices'] as const
const port = 9223

const { path: executablePath } = await findBrowser()
const stop = await globalSetup()
const browser = await chromium.launch({
  executablePath,
  args: [...browserSwitches, `--remote-debugging-port=${port}`],
})
try {
  const cookie = await signedInCookie(browser)
  for (const tab of tabs) {
    const runs = []
    for (let run = 0; run < Number(values.runs); run += 1) runs.push(await pointsOf(tab, cookie))
    report(tab, runs)
  }
} finally {
  await browser.close()
  await stop()
}

async function signedInCookie(where: Browser): Promise<string> {
  const context = await where.newContext()
  await signIn(await context.newPage(), { email: 'ada@folio.test', password: 'Atrium-demo-1' })
  const cookies = await context.cookies(at.account)
  await context.close()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

type Points = Record<(typeof categories)[number], number>

async function pointsOf(tab: string, cookie: string): Promise<Points> {
  const address = `${at.account}/account?tab=${tab}`
  const result = await lighthouse(address, {
    port,
    // Lighthouse opens a page without cookies.
    extraHeaders: { Cookie: cookie },
    onlyCategories: [...categories],
    logLevel: 'error',
  })
  if (result?.lhr.finalDisplayedUrl !== address) throw new Error(`${tab} did not open`)
  const points = (category: string) => Math.round((result.lhr.categories[category]?.score ?? 0) * 100)
  return {
    performance: points('performance'),
    accessibility: points('accessibility'),
    'best-practices': points('best-practices'),
  }
}

function report(tab: string, runs: readonly Points[]): void {
  const figures = categories.map((category) => {
    const points = runs.map((run) => run[category]).sort((a, b) => a - b)
    const median = points[Math.floor(points.length / 2)] ?? 0
    if (median < limits[category]) process.exitCode = 1
    return `${category} ${median} (${points.join(', ')}; limit ${limits[category]})`
  })
  process.stdout.write(`${tab}: ${figures.join(', ')}\n`)
}
