/**
 * Nouns of account-server by level. One may use those of a lower level only, and of those only what they offer on purpose: never
 * their routes or services. What must happen further up is a job, or a definition that `app.ts` registers.
 */
const levels: readonly (readonly string[])[] = [
  ['activity', 'catalog', 'dictionaries', 'events', 'mail'],
  ['profile', 'security', 'session'],
  ['addresses'],
  ['payments'],
  ['cards'],
  ['orders'],
  ['subscriptions'],
  ['team'],
  ['licenses'],
  ['devices'],
  ['activation'],
  ['transfers', 'products', 'roadmap', 'cloud', 'quotes'],
  ['imports'],
]

/**
 * Rooms of account-web from below; each imports those before it, and itself. Above all of them stands what puts the page
 * together: main, app, routes and tabs.
 */
const rooms = ['api', 'page', 'features', 'frame'] as const

/** What every noun lets those above it use: what it reads, its rules, its tables. */
const offeredByAll = /\.(queries|rules|tables)\.ts$/

/** What else a noun offers those above it, on purpose: files of its folder, without `.ts`. */
const faces: Readonly<Record<string, readonly string[]>> = {
  activity: ['activity.writes'],
  addresses: ['addresses.writes'],
  cards: ['member-cards'],
  events: ['events.writes'],
  licenses: ['licenses.writes'],
  mail: ['mail.writes'],
  payments: [
    'customers/create-customer',
    'operations/definition',
    'operations/perform-operation',
    'operations/run-operation',
  ],
  session: ['identities.writes'],
}

/** Nouns of sso by level, in the same way. */
const ssoLevels: readonly (readonly string[])[] = [
  ['activity', 'cas', 'delays', 'mail'],
  ['accounts'],
  ['tickets'],
  ['session'],
  ['pages', 'password', 'sign-in', 'sign-out'],
  ['sign-up'],
]

/** Of a noun below: the account machinery and the cookies too. */
const usableBelowInSso = /\.(auth|cookies|queries|rules|tables|writes)\.ts$/

/** What measures account-server, and what breaks it, stand outside: what each may import, and by which doors it enters. */
const tools: Readonly<Record<string, { folders: RegExp; doors: RegExp }>> = {
  bench: {
    folders: /^(bench|faults|demo|scripts)\//,
    doors:
      /^src\/(app|config|outside\/card-provider\/card-provider|features\/(imports\/import-file|orders\/invoice-pdf\/renderer|session\/session\.(rules|tables)))\.ts$/,
  },
  faults: { folders: /^(faults|demo|scripts)\//, doors: /^src\/features\/session\/session\.rules\.ts$/ },
}

/** Our packages, and which of them each may use. */
const packages: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  locales: ['contract'],
  'server-kit': ['contract', 'locales'],
  ui: ['contract', 'locales'],
}

interface Place {
  kind: 'app' | 'package' | 'other' | 'library'
  /** Of the app or the package; a library's own. */
  name: string
  /** Path below the app's or the package's folder. */
  path: string
  feature: string | undefined
}

/** Why a file may not import another one (or a library), as a sentence; nothing where it may. */
export function refusal(from: string, to: string): string | undefined {
  const source = placeOf(from)
  const target = placeOf(to)
  if (source.kind === 'package') return refusalInPackage(source, target)
  if (source.kind === 'app') return refusalInApp(source, target)
  return refusalInTool(source, target)
}

function refusalInPackage(source: Place, target: Place): string | undefined {
  if (target.kind === 'app') return 'a package does not import an app'
  if (target.kind === 'other') return 'a package imports nothing beside libraries and packages'
  if (target.kind === 'library') {
    // Tests stand outside: they bring their runner, and are part of no program.
    const isAlone = source.name === 'contract' && target.name !== 'zod' && !isTest(source)
    return isAlone ? 'the contract imports zod alone' : undefined
  }
  if (target.name === source.name || packages[source.name]?.includes(target.name)) return undefined
  return `${source.name} does not import ${target.name}`
}

function refusalInApp(source: Place, target: Place): string | undefined {
  if (target.kind === 'app' && target.name !== source.name) return 'nobody imports an app'
  if (target.kind === 'other') return 'an app imports nothing of the scripts around it'
  if (target.kind === 'package') return refusalOfPackage(source, target)
  if (target.kind === 'library') return undefined

  if (source.name === 'account-web') return refusalOnPage(source, target)
  if (source.name === 'account-server') return refusalOnServer(source, target, { levels, offers: accountOffers })
  if (source.name === 'sso')
    return refusalOnServer(source, target, { levels: ssoLevels, offers: (_noun, path) => usableBelowInSso.test(path) })
  return /\.routes\.ts$/.test(target.path) && source.feature !== target.feature && source.feature
    ? 'routes belong to their feature'
    : undefined
}

function refusalInTool(source: Place, target: Place): string | undefined {
  const [name = ''] = source.path.split('/')
  const tool = tools[name]
  if (!tool) return undefined
  if (target.kind === 'app') {
    const isDoor = target.name === 'account-server' && tool.doors.test(target.path)
    return isDoor ? undefined : `${name} has no door there: see boundaries.rules.ts`
  }
  if (target.kind === 'package')
    return ['contract', 'server-kit'].includes(target.name) ? undefined : `${name} shows nothing`
  return target.kind === 'library' || tool.folders.test(target.path) ? undefined : `${name} does not import that folder`
}

interface ServerRules {
  levels: readonly (readonly string[])[]
  /** Whether a noun offers a file of its own to those above it. */
  offers(noun: string, path: string): boolean
}

function refusalOfPackage(source: Place, target: Place): string | undefined {
  const isPage = source.name === 'account-web' || /^(web|browser)\//.test(source.path)
  if (isPage && target.name === 'server-kit') return 'a page does not import server-kit'
  if (!isPage && target.name === 'ui') return 'a server does not import ui'
  return undefined
}

/** No import leads up, and no feature knows another one. */
function refusalOnPage(source: Place, target: Place): string | undefined {
  if (source.feature && target.feature && source.feature !== target.feature) {
    return 'a feature of the page does not import another one: link, or compose above'
  }
  const from = roomOf(source)
  const to = roomOf(target)
  return from < to ? `${rooms[from]} does not import ${rooms[to] ?? 'what puts the page together'}` : undefined
}

/** Place in `rooms`; what stands in none is above all of them. */
function roomOf({ path }: Place): number {
  const room = rooms.findIndex((name) => path.startsWith(`src/${name}/`))
  return room === -1 ? rooms.length : room
}

function refusalOnServer(source: Place, target: Place, { levels, offers }: ServerRules): string | undefined {
  if (source.path.startsWith('src/outside/') && target.feature) return 'outside knows no feature'
  if (source.path.startsWith('src/page/') && target.feature) return 'page knows no feature'
  if (source.path.startsWith('src/db/') && target.feature && source.path !== 'src/db/schema.ts') {
    return 'of the database’s folder only schema.ts imports a feature'
  }
  if (!source.feature || !target.feature || source.feature === target.feature) return undefined

  const above = levelOf(levels, source.feature)
  const below = levelOf(levels, target.feature)
  if (above === undefined || below === undefined) {
    return `${above === undefined ? source.feature : target.feature} stands on no level: name it in boundaries.rules.ts`
  }
  if (below >= above)
    return `${source.feature} (level ${above}) imports lower levels only, not ${target.feature} (${below})`
  const isImporter = source.feature === 'imports' && target.path.endsWith('.import.ts')
  return offers(target.feature, target.path) || isImporter
    ? undefined
    : 'of another noun only queries, rules, tables and what its face names are imported'
}

function accountOffers(noun: string, path: string): boolean {
  if (offeredByAll.test(path)) return true
  const file = path.replace(`src/features/${noun}/`, '').replace(/\.ts$/, '')
  return faces[noun]?.includes(file) ?? false
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
