import { refusalInSandbox } from './sandbox.rules.ts'

/**
 * Nouns of account-server by level. A noun imports only from lower levels, and only the files those offer: never their
 * routes or services. What must happen on a higher level is a job, or a definition that `app.ts` registers.
 */
const levels: readonly (readonly string[])[] = [
  ['activity', 'archives', 'catalog', 'dictionaries', 'events', 'mail'],
  ['profile', 'session'],
  ['support-sessions'],
  ['security'],
  ['addresses'],
  ['payments'],
  ['cards', 'coupons'],
  ['orders'],
  ['subscriptions'],
  ['team'],
  ['licenses'],
  ['devices'],
  ['activation', 'cloud'],
  ['transfers', 'products', 'roadmap', 'quotes', 'search'],
  ['personal-data'],
  ['imports', 'sync'],
]

/**
 * Layers of account-web, lowest first; each imports itself and lower ones. What assembles the page (main, app, routes and
 * tabs) is above all of them.
 */
const layers = ['api', 'page', 'features', 'frame'] as const

/** Files that every noun offers to higher levels. */
const offeredByAll = /\.(queries|rules|tables)\.ts$/

/** Other files that a noun offers to higher levels, without `.ts`. */
const offeredFiles: Readonly<Record<string, readonly string[]>> = {
  activity: ['activity.writes'],
  addresses: ['addresses.writes'],
  archives: ['archives.writes', 'zip-stream'],
  cards: ['member-cards', 'new-card', 'own-cards'],
  catalog: ['catalog.writes'],
  coupons: ['usable-coupon'],
  events: ['events.writes'],
  licenses: ['licenses.writes'],
  mail: ['framed-email', 'mail.writes'],
  orders: ['orders.sync', 'receipts.writes', 'refunds.sync'],
  subscriptions: [
    'due-orders.writes',
    'hidden-orders.writes',
    'moving/moving.operations',
    'moving/moving.writes',
    'moving/read-billed',
    'ownership/end-team.writes',
    'ownership/give-to-proven',
    'ownership/leave-to-nobody.writes',
    'ownership/same-card-purchases',
    'projection.writes',
    'seats.writes',
  ],
  team: ['invitations/invitations.writes', 'users/seat-changes.writes'],
  payments: [
    'customers/create-customer',
    'customers/customers.sync',
    'customers/customers.writes',
    'customers/same-cards',
    'operations/definition',
    'operations/perform-operation',
    'operations/run-operation',
    'unmatched/unmatched.writes',
  ],
  session: ['identities.writes', 'locale-choice', 'purchases.writes', 'session.cookies', 'signed-token'],
  'support-sessions': ['support-sessions.writes'],
}

/** Nouns of sso by level. */
const ssoLevels: readonly (readonly string[])[] = [
  ['activity', 'cas', 'delays', 'mail'],
  ['accounts'],
  ['popups', 'refusals', 'tickets'],
  ['session'],
  ['active-sessions', 'cloud-tickets', 'pages', 'password', 'sign-in', 'sign-out'],
  ['sign-up'],
  ['providers'],
  ['account-data'],
]

/** Files that every noun of sso offers to higher levels. */
const usableBelowInSso = /\.(auth|cookies|queries|rules|tables|writes)\.ts$/

/** What the tools around account-server may import: folders of the project, and entry points of account-server. */
const tools: Readonly<Record<string, { folders: RegExp; entryPoints: RegExp }>> = {
  bench: {
    folders: /^(bench|faults|demo|scripts)\//,
    entryPoints:
      /^src\/(app|config|deps|outside\/card-provider\/card-provider|outside\/paypal\/paypal|outside\/sso|features\/(imports\/import-file|orders\/(invoice-pdf\/renderer|order-archive\.service)|session\/session\.(rules|tables)))\.ts$/,
  },
  faults: {
    folders: /^(faults|demo|scripts)\//,
    entryPoints:
      /^src\/(features\/(payments\/customers\/account-reference|session\/session)\.rules|test\/planned-change)\.ts$/,
  },
}

/** Our packages, and the packages that each may import. */
const packages: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  locales: ['contract'],
  'server-kit': ['contract', 'locales'],
  ui: ['contract', 'locales'],
}

interface Place {
  kind: 'app' | 'package' | 'other' | 'library'
  /** Name of the app, package or library. */
  name: string
  /** Path within the app or package. */
  path: string
  feature: string | undefined
}

/** Why a file must not import another file or a library; `undefined` if it may. */
export function refusal(from: string, to: string): string | undefined {
  const source = placeOf(from)
  const target = placeOf(to)
  if (source.kind === 'package') return refusalInPackage(source, target)
  if (source.kind === 'app') return refusalInApp(source, target)
  return refusalInTool(source, target)
}

function refusalInPackage(source: Place, target: Place): string | undefined {
  if (target.kind === 'app') return 'a package does not import an app'
  if (target.kind === 'other') return 'a package imports nothing but libraries and packages'
  if (target.kind === 'library') {
    // Tests are not part of any program, and may import their runner.
    const isAlone = source.name === 'contract' && target.name !== 'zod' && !isTest(source)
    return isAlone ? 'the contract imports zod alone' : undefined
  }
  if (target.name === source.name || packages[source.name]?.includes(target.name)) return undefined
  return `${source.name} does not import ${target.name}`
}

function refusalInApp(source: Place, target: Place): string | undefined {
  if (target.kind === 'app' && target.name !== source.name) return 'no program imports another app'
  if (target.kind === 'other') return 'an app does not import scripts'
  if (target.kind === 'package') return refusalOfPackage(source, target)
  if (target.kind === 'library') return undefined

  if (source.name === 'account-web') return refusalOnPage(source, target)
  if (source.name === 'account-server') return refusalOnServer(source, target, { levels, offers: accountOffers })
  if (source.name === 'sso')
    return refusalOnServer(source, target, { levels: ssoLevels, offers: (_noun, path) => usableBelowInSso.test(path) })
  if (/\.routes\.ts$/.test(target.path) && source.feature !== target.feature && source.feature) {
    return 'routes belong to their feature'
  }
  return refusalInSandbox(source.path, target.path)
}

function refusalInTool(source: Place, target: Place): string | undefined {
  const [name = ''] = source.path.split('/')
  const tool = tools[name]
  if (!tool) return undefined
  if (target.kind === 'app') {
    const isEntryPoint = target.name === 'account-server' && tool.entryPoints.test(target.path)
    return isEntryPoint ? undefined : `that is not an entry point of ${name}: see boundaries.rules.ts`
  }
  if (target.kind === 'package')
    return ['contract', 'server-kit'].includes(target.name) ? undefined : `${name} imports no page packages`
  return target.kind === 'library' || tool.folders.test(target.path) ? undefined : `${name} does not import that folder`
}

interface ServerRules {
  levels: readonly (readonly string[])[]
  /** Whether a noun offers one of its files to higher levels. */
  offers(noun: string, path: string): boolean
}

function refusalOfPackage(source: Place, target: Place): string | undefined {
  const isPage = source.name === 'account-web' || /^(web|browser)\//.test(source.path)
  if (isPage && target.name === 'server-kit') return 'a page does not import server-kit'
  if (!isPage && target.name === 'ui') return 'a server does not import ui'
  return undefined
}

/** A layer imports only lower ones, and a feature does not import another feature. */
function refusalOnPage(source: Place, target: Place): string | undefined {
  if (source.feature && target.feature && source.feature !== target.feature) {
    return 'a feature of the page does not import another one: link, or compose above'
  }
  const from = layerOf(source)
  const to = layerOf(target)
  return from < to ? `${layers[from]} does not import ${layers[to] ?? 'what puts the page together'}` : undefined
}

/** Index in `layers`; what is in none of them is above all. */
function layerOf({ path }: Place): number {
  const layer = layers.findIndex((name) => path.startsWith(`src/${name}/`))
  return layer === -1 ? layers.length : layer
}

function refusalOnServer(source: Place, target: Place, { levels, offers }: ServerRules): string | undefined {
  if (source.path.startsWith('src/outside/') && target.feature) return 'outside imports no feature'
  if (source.path.startsWith('src/page/') && target.feature) return 'page imports no feature'
  if (source.path.startsWith('src/db/') && target.feature && source.path !== 'src/db/schema.ts') {
    return 'of the database’s folder only schema.ts imports a feature'
  }
  if (!source.feature || !target.feature || source.feature === target.feature) return undefined

  const above = levelOf(levels, source.feature)
  const below = levelOf(levels, target.feature)
  if (above === undefined || below === undefined) {
    return `${above === undefined ? source.feature : target.feature} is on no level: name it in boundaries.rules.ts`
  }
  if (below >= above)
    return `${source.feature} (level ${above}) imports lower levels only, not ${target.feature} (${below})`
  const isImporter = source.feature === 'imports' && target.path.endsWith('.import.ts')
  const isSync = source.feature === 'sync' && target.path.endsWith('.sync.ts')
  return offers(target.feature, target.path) || isImporter || isSync
    ? undefined
    : 'of another noun only queries, rules, tables and what its face names are imported'
}

function accountOffers(noun: string, path: string): boolean {
  if (offeredByAll.test(path)) return true
  const file = path.replace(`src/features/${noun}/`, '').replace(/\.ts$/, '')
  return offeredFiles[noun]?.includes(file) ?? false
}

function levelOf(levels: ServerRules['levels'], noun: string): number | undefined {
  const level = levels.findIndex((nouns) => nouns.includes(noun))
  return level === -1 ? undefined : level
}

function isTest({ path }: Place): boolean {
  return path.endsWith('.test.ts')
}

function placeOf(path: string): Place {
  const [, folder, name = '', rest = ''] = /^(apps|packages)\/([^/]+)\/(.*)$/.exec(path) ?? []
  const feature = /^src\/features\/([^/]+)\//.exec(rest)?.[1]
  if (folder === 'apps') return { kind: 'app', name, path: rest, feature }
  if (folder === 'packages') return { kind: 'package', name, path: rest, feature }
  const isOurs = /^(scripts|demo|e2e|bench|faults|docs)\//.test(path)
  return { kind: isOurs ? 'other' : 'library', name: path, path, feature: undefined }
}
