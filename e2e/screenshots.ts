import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { locales } from '@atrium/contract/locale.ts'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserSwitches, findBrowser } from '../scripts/browser.ts'
import { projectFolder } from '../scripts/start/data-directory.ts'
import { accountShots } from './shots/account.shots.ts'
import { licenseShots } from './shots/licenses.shots.ts'
import { orderShots } from './shots/orders.shots.ts'
import { paymentShots } from './shots/payment.shots.ts'
import { productShots } from './shots/products.shots.ts'
import type { Shot } from './shots/shot.ts'
import { signOnShots } from './shots/sign-on.shots.ts'
import { subscriptionShots } from './shots/subscriptions.shots.ts'
import globalSetup from './support/global-setup.ts'
import { at, demoSubscription, signIn } from './support/journey.ts'

/**
 * `npm run screenshots`: pictures of pages and dialogs in `screenshots/`. Each option takes a comma-separated list:
 * `--only users,cards` (parts of names), `--lang de,ja-jp` (folders of texts), `--width 375,1400`, `--scheme dark`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    lang: { type: 'string', default: 'en,de' },
    width: { type: 'string', default: '375,1000,1400' },
    scheme: { type: 'string', default: 'light,dark' },
  },
})

interface View {
  lang: string
  prefix: string
  width: number
  scheme: 'light' | 'dark'
}

const folder = join(projectFolder, 'screenshots')
const shots = [
  ...accountShots,
  ...orderShots,
  ...subscriptionShots,
  ...productShots,
  ...licenseShots,
  ...paymentShots,
  ...signOnShots,
].filter(({ name }) => values.only.split(',').some((part) => name.includes(part)))

const { path: executablePath } = await findBrowser()
// A product that the environment names is pictured as it runs.
const stop = at.account === '' ? await globalSetup() : undefined
const browser = await chromium.launch({ executablePath, args: browserSwitches })
const failed: string[] = []
try {
  await mkdir(folder, { recursive: true })
  for (const view of views()) await takeAll(browser, view)
} finally {
  await browser.close()
  await stop?.()
}
if (failed.length > 0) throw new Error(`No picture of ${failed.join(', ')}`)

function views(): View[] {
  const widths = values.width.split(',').map(Number)
  const schemes = (['light', 'dark'] as const).filter((scheme) => values.scheme.split(',').includes(scheme))
  const languages = values.lang.split(',').map((lang) => {
    const language = locales.find(({ folder }) => folder === lang)
    if (!language) throw new Error(`No language ${lang}, but ${locales.map(({ folder }) => folder).join(', ')}`)
    return language
  })
  return languages.flatMap(({ folder: lang, prefix }) =>
    widths.flatMap((width) => schemes.map((scheme) => ({ lang, prefix: prefix && `/${prefix}`, width, scheme }))),
  )
}

async function takeAll(where: Browser, view: View): Promise<void> {
  for (const who of [...new Set(shots.map(({ as }) => as?.email))]) {
    const own = shots.filter(({ as }) => as?.email === who)
    const context = await where.newContext({
      viewport: { width: view.width, height: view.width < 500 ? 812 : 900 },
      // A phone has no pointer: `@media (hover: none)`.
      hasTouch: view.width < 500,
      isMobile: view.width < 500,
      colorScheme: view.scheme,
      reducedMotion: 'reduce',
      locale: view.lang === 'pt' ? 'pt-BR' : view.lang,
    })
    const page = await context.newPage()
    const [first] = own
    if (first?.as) await signIn(page, first.as, `${view.prefix}/account`)
    for (const shot of own) {
      // One that fails should not cost the others.
      await take(page, shot, view).catch((error: unknown) => {
        failed.push(`${shot.name}-${view.lang}-${view.width}: ${String(error).split('\n', 1)}`)
      })
      await page.unrouteAll()
    }
    await context.close()
  }
}

async function take(page: Page, shot: Shot, { lang, prefix, width, scheme }: View): Promise<void> {
  const program = shot.program ?? (shot.as ? 'account' : 'sso')
  // The others, and support, know the language from the browser.
  const start = shot.as && shot.path.startsWith('/account') ? prefix : ''
  const path = shot.path
    .replace('ACCOUNT', encodeURIComponent(at.account + prefix))
    .replace(/\{([\w-]+)\}/, (_, name: string) => demoSubscription(name))
  await page.goto(`${at[program]}${start}${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await shot.act?.(page)
  await page.waitForTimeout(150)
  await page.screenshot({ path: join(folder, `${shot.name}-${lang}-${width}-${scheme}.png`) })
}
