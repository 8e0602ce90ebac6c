type Levels = readonly (readonly string[])[]

/** The sandbox’s features by level: each imports only from lower ones. The stand-ins for providers do not know each other. */
const features: Levels = [
  ['provider-kit', 'cloud', 'elsewhere', 'identity'],
  ['clock', 'mail', 'shop'],
  ['cards', 'paypal'],
]

/** Rooms of a stand-in by level. What assembles it is in none of them, and above all. */
const rooms: Readonly<Record<string, Levels>> = {
  cards: [
    ['browser', 'tax', 'test-cards', 'wire'],
    ['store'],
    ['money', 'requests'],
    ['coupons', 'products'],
    ['events'],
    ['charges', 'customers', 'discounts', 'invoice-items', 'refunds'],
    ['payment-methods'],
    ['intents'],
    ['payment-intents', 'setup-intents'],
    ['authentication', 'invoices', 'prices'],
    ['subscriptions'],
    ['hosted', 'invoicing', 'schedules'],
    ['api', 'collection'],
    ['control'],
  ],
  paypal: [
    ['store'],
    ['wire'],
    ['access', 'events'],
    ['browser', 'payments', 'plans'],
    ['orders', 'subscriptions'],
    ['api', 'approval'],
    ['control'],
  ],
}

/** Why a file of the sandbox must not import another one. @param from path within the program */
export function refusalInSandbox(from: string, to: string): string | undefined {
  // A test may set the scene with what is above.
  if (from.endsWith('.test.ts')) return undefined
  const [source, target] = [placeOf(from), placeOf(to)]
  if (!target.feature) return undefined
  if (from.startsWith('src/page/')) return 'page imports no feature'
  if (!source.feature) return undefined
  if (source.feature !== target.feature) return refusalBetween(features, source.feature, target.feature)

  const levels = rooms[source.feature]
  if (!levels || source.room === target.room || source.room === undefined) return undefined
  if (target.room === undefined) return `what assembles ${source.feature} is above its rooms`
  return refusalBetween(levels, source.room, target.room)
}

function refusalBetween(levels: Levels, from: string, to: string): string | undefined {
  const above = levels.findIndex((names) => names.includes(from))
  const below = levels.findIndex((names) => names.includes(to))
  if (above === -1 || below === -1) return `${above === -1 ? from : to} is on no level: name it in sandbox.rules.ts`
  return below < above ? undefined : `${from} (level ${above}) imports lower levels only, not ${to} (${below})`
}

function placeOf(path: string): { feature: string | undefined; room: string | undefined } {
  const [, feature, room] = /^src\/features\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? []
  return { feature, room }
}
