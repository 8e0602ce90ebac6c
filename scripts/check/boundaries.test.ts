import { expect, test } from 'vitest'
import { refusal } from './boundaries.rules.ts'
import { importFaults } from './import-faults.ts'
import { importsOf } from './imports-of.ts'

const account = 'apps/account-server/src'
const web = 'apps/account-web/src'
const sso = 'apps/sso/src'
const standIns = 'apps/sandbox/src/features'

test.each([
  ['packages/contract/src/orders.ts', 'fastify', 'zod alone'],
  ['packages/contract/src/orders.ts', 'packages/ui/src/theme.ts', 'contract does not import ui'],
  ['packages/ui/src/theme.ts', 'packages/server-kit/src/app.ts', 'ui does not import server-kit'],
  ['packages/server-kit/src/app.ts', 'packages/ui/src/theme.ts', 'server-kit does not import ui'],
  ['packages/server-kit/src/app.ts', 'apps/sso/src/app.ts', 'does not import an app'],
  ['packages/locales/src/server-texts.ts', 'scripts/start.ts', 'but libraries and packages'],
  ['apps/sso/src/app.ts', `${account}/app.ts`, 'no program imports another app'],
  ['apps/sandbox/src/app.ts', 'demo/folio.ts', 'does not import scripts'],
  ['apps/sso/web/main.tsx', 'packages/server-kit/src/app.ts', 'page does not import server-kit'],
  ['apps/sandbox/browser/sdk/main.ts', 'packages/server-kit/src/app.ts', 'page does not import server-kit'],
  ['apps/sso/src/app.ts', 'packages/ui/src/theme.ts', 'server does not import ui'],
  [
    'apps/sandbox/src/features/mail/mail.routes.ts',
    'apps/sandbox/src/features/elsewhere/elsewhere.routes.ts',
    'routes belong',
  ],
  [`${standIns}/paypal/wire/api.ts`, `${standIns}/cards/wire/money.rules.ts`, 'paypal (level 2) imports lower levels'],
  [`${standIns}/provider-kit/faults.ts`, `${standIns}/cards/store/cards.tables.ts`, 'lower levels only'],
  [`${standIns}/cards/invoices/pay.ts`, `${standIns}/cards/subscriptions/create.ts`, 'lower levels only'],
  [`${standIns}/cards/wishes/wishes.ts`, `${standIns}/cards/store/store.ts`, 'wishes is on no level'],
  [`${standIns}/cards/store/store.ts`, `${standIns}/cards/cards.routes.ts`, 'assembles cards'],
  ['apps/sandbox/src/page/page.ts', `${standIns}/clock/clock.queries.ts`, 'page imports no feature'],
  [`${sso}/features/password/password.service.ts`, `${sso}/features/sign-in/sign-in.routes.ts`, 'lower levels only'],
  [`${sso}/features/accounts/accounts.writes.ts`, `${sso}/features/session/session.queries.ts`, 'lower levels only'],
  [`${sso}/features/sign-up/sign-up.service.ts`, `${sso}/features/password/password.service.ts`, 'only queries, rules'],
  [`${sso}/features/wishes/wishes.service.ts`, `${sso}/features/activity/activity.writes.ts`, 'is on no level'],
  [`${sso}/page/pages.ts`, `${sso}/features/cas/service-url.rules.ts`, 'page imports no feature'],
  ['bench/lists.ts', `${account}/features/orders/orders.queries.ts`, 'not an entry point'],
  ['bench/lists.ts', `${sso}/app.ts`, 'not an entry point'],
  ['bench/lists.ts', 'packages/ui/src/theme.ts', 'imports no page packages'],
  ['bench/lists.ts', 'e2e/support/global-setup.ts', 'does not import that folder'],
  ['faults/stage.ts', `${account}/app.ts`, 'not an entry point'],
  ['faults/stage.ts', 'bench/ratio.ts', 'does not import that folder'],
  [`${sso}/app.ts`, 'faults/stage.ts', 'does not import scripts'],
  [
    `${web}/features/profile/profile-screen.tsx`,
    `${web}/features/orders/orders.data.ts`,
    'does not import another one',
  ],
  [`${web}/features/profile/profile-screen.tsx`, `${web}/frame/side-menu.tsx`, 'features does not import frame'],
  [`${web}/features/profile/profile-screen.tsx`, `${web}/tabs.ts`, 'features does not import what puts the page'],
  [`${web}/page/paged-list.tsx`, `${web}/features/orders/orders.data.ts`, 'page does not import features'],
  [`${web}/page/paged-list.tsx`, `${web}/frame/side-menu.tsx`, 'page does not import frame'],
  [`${web}/api/call.ts`, `${web}/page/page-data.ts`, 'api does not import page'],
  [`${web}/api/call.ts`, `${web}/features/orders/orders.data.ts`, 'api does not import features'],
  [`${web}/frame/side-menu.tsx`, `${web}/tabs.ts`, 'frame does not import what puts the page together'],
  [
    `${account}/features/profile/profile.service.ts`,
    `${account}/features/orders/orders.queries.ts`,
    'lower levels only',
  ],
  [
    `${account}/features/profile/profile.service.ts`,
    `${account}/features/session/session.queries.ts`,
    'lower levels only',
  ],
  [
    `${account}/features/orders/orders.service.ts`,
    `${account}/features/profile/profile.service.ts`,
    'only queries, rules',
  ],
  [
    `${account}/features/orders/orders.service.ts`,
    `${account}/features/profile/profile.import.ts`,
    'only queries, rules',
  ],
  [
    `${account}/features/wishes/wishes.service.ts`,
    `${account}/features/activity/activity.writes.ts`,
    'wishes is on no level',
  ],
  [`${account}/outside/cas.ts`, `${account}/features/session/session.rules.ts`, 'outside imports no feature'],
  [`${account}/db/members.queries.ts`, `${account}/features/session/session.tables.ts`, 'only schema.ts'],
])('%s may not import %s', (from, to, reason) => {
  expect(refusal(from, to)).toContain(reason)
})

test.each([
  ['packages/contract/src/orders.ts', 'zod'],
  ['packages/contract/src/orders.ts', 'packages/contract/src/money.ts'],
  ['packages/contract/src/locale.test.ts', 'vitest'],
  ['packages/server-kit/src/app.ts', 'packages/contract/src/problem.ts'],
  ['apps/sso/src/features/password/password.routes.ts', 'packages/server-kit/src/serve.ts'],
  [`${web}/tabs.ts`, `${web}/features/profile/profile.data.ts`],
  [`${web}/features/profile/profile-screen.tsx`, `${web}/page/section-boundary.tsx`],
  [`${web}/page/paged-list.tsx`, `${web}/api/query-client.ts`],
  [`${web}/frame/page-dialogs.tsx`, `${web}/features/quotes/request-quote-dialog.tsx`],
  [`${web}/routes.tsx`, `${web}/frame/account-page.tsx`],
  [`${web}/features/profile/profile-screen.tsx`, `${web}/api/call.ts`],
  [`${account}/app.ts`, `${account}/features/orders/orders.routes.ts`],
  [`${account}/db/schema.ts`, `${account}/features/orders/orders.tables.ts`],
  [`${account}/features/orders/orders.service.ts`, `${account}/features/activity/activity.writes.ts`],
  [`${account}/features/imports/importers.ts`, `${account}/features/orders/online-orders.import.ts`],
  [`${sso}/features/session/session.writes.ts`, `${sso}/features/accounts/accounts.auth.ts`],
  [`${sso}/features/sign-in/login.routes.ts`, `${sso}/features/session/session.cookies.ts`],
  [`${sso}/features/sign-in/login.routes.ts`, `${sso}/page/pages.ts`],
  [`${standIns}/cards/subscriptions/create.ts`, `${standIns}/cards/invoices/pay.ts`],
  [`${standIns}/cards/requests/call.ts`, `${standIns}/clock/clock.queries.ts`],
  [`${standIns}/cards/store/store.test.ts`, `${standIns}/cards/api/invoices.api.ts`],
  [`${standIns}/cards/cards.routes.ts`, `${standIns}/cards/control/control.routes.ts`],
  ['bench/our-server.ts', `${account}/app.ts`],
  ['bench/card-events.ts', 'faults/stage.ts'],
  ['faults/stage.ts', `${account}/features/session/session.rules.ts`],
  ['scripts/start.ts', `${account}/config.ts`],
])('%s may import %s', (from, to) => {
  expect(refusal(from, to)).toBeUndefined()
})

test('every form of import is found, type imports included', () => {
  const source = `
    import { a } from './a.ts'
    import type { B } from "./b.ts"
    import {
      c,
    } from './c.ts'
    import './d.css'
    export * from './e.ts'
    export { f } from './f.ts'
    const screen = lazy(() => import('./g.tsx'))
    export const here = 1; import * as h from './h.ts'`

  expect(importsOf(source).sort()).toEqual([
    './a.ts',
    './b.ts',
    './c.ts',
    './d.css',
    './e.ts',
    './f.ts',
    './g.tsx',
    './h.ts',
  ])
})

test('text that only looks like an import is ignored', () => {
  const source = `
    // import { a } from './comment.ts'
    /* import { b } from './block.ts' */
    const shown = \`import { c } from './template.ts'\`
    const text = 'copied from "./text.ts"'
    export function importsNothing() { return 'from' }`

  expect(importsOf(source)).toEqual([])
})

test('a string that looks like the start of a comment does not hide an import after it', () => {
  expect(importsOf("const url = 'https://a.test'; import { a } from './a.ts'")).toEqual(['./a.ts'])
  expect(importsOf("glob('**/*.ts')\nimport { a } from './a.ts' /* here */")).toEqual(['./a.ts'])
})

test('a forbidden import is found in a file, by path and by package', () => {
  const source = `import { z } from 'zod'
import { readFile } from 'node:fs/promises'
import { theme } from '@atrium/ui/theme.ts'
import { app } from '@atrium/sso/app.ts'
import { orders } from '../orders/orders.queries.ts'
import { record } from '../activity/activity.writes.ts'`

  const faults = importFaults(`${account}/features/profile/profile.service.ts`, source)

  expect(faults).toHaveLength(3)
  expect(faults.join()).toMatch(/@atrium\/ui.*@atrium\/sso.*orders\.queries/)
})

test.each([
  ['features/profile/profile-screen.tsx', "import { SideMenu } from '../../frame/side-menu.tsx'", 'frame'],
  ['page/paged-list.tsx', "import type { Orders } from '../features/orders/orders.data.ts'", 'features'],
  ['api/call.ts', "const page = await import('../page/page-data.ts')", 'page'],
])('an import that leads up is found in %s', (file, source, room) => {
  const [fault, ...others] = importFaults(`${web}/${file}`, `import { z } from 'zod'\n${source}`)

  expect(fault).toContain(`does not import ${room}`)
  expect(others).toEqual([])
})
