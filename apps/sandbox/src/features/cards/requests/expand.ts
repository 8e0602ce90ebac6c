import { forBrowsers } from '../store/for-browsers.rules.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { find, readAhead } from '../store/store.ts'
import { kindOfId } from '../store/stored.ts'
import { invalidRequest } from '../wire/refusal.ts'
import type { Call } from './call.ts'
import { includedValue, isIncludable } from './inclusions.ts'

type Json = string | number | boolean | null | Json[] | JsonObject

interface JsonObject {
  [name: string]: Json
}

const deepest = 4

/** Expandable fields by kind of object, including fields that are null. */
const expandable: Readonly<Record<string, readonly string[]>> = {
  customer: ['default_source', 'default_payment_method', 'test_clock'],
  payment_method: ['customer'],
  setup_intent: ['application', 'customer', 'latest_attempt', 'mandate', 'on_behalf_of', 'payment_method'],
  setup_attempt: ['application', 'customer', 'on_behalf_of', 'payment_method', 'setup_intent'],
  payment_intent: ['application', 'customer', 'latest_charge', 'on_behalf_of', 'payment_method', 'review'],
  subscription: [
    'application',
    'customer',
    'default_payment_method',
    'default_source',
    'discounts',
    'latest_invoice',
    'on_behalf_of',
    'pending_setup_intent',
    'schedule',
    'test_clock',
  ],
  subscription_item: ['discounts'],
  subscription_schedule: ['customer', 'price', 'subscription', 'test_clock'],
  invoice: [
    'application',
    'customer',
    'default_payment_method',
    'default_source',
    'discount',
    'discounts',
    'latest_revision',
    'on_behalf_of',
    'subscription',
    'test_clock',
  ],
  line_item: ['discount', 'discounts', 'price', 'subscription'],
  invoice_payment: ['charge', 'invoice', 'payment_intent'],
  invoiceitem: ['customer', 'discounts', 'invoice', 'price', 'test_clock'],
  refund: ['balance_transaction', 'charge', 'customer', 'payment_intent', 'payment_method'],
  discount: ['coupon', 'customer', 'promotion_code'],
  price: ['product'],
  product: ['default_price', 'tax_code'],
  charge: ['application', 'balance_transaction', 'customer', 'on_behalf_of', 'payment_intent', 'review'],
}

/** What a publishable key may expand: the card of its intent, as browsers see it. */
const expandableForBrowsers = ['payment_method']

/** @throws Refusal for a path that would show a browser more than it may see */
export function refuseHiddenPaths(paths: readonly string[]): void {
  const hidden = paths.find((path) => !expandableForBrowsers.includes(path))
  if (hidden !== undefined) throw notExpandable(hidden)
}

/**
 * Replaces ids with objects. A path is a list of names separated by dots; `data` enters a list.
 * @throws Refusal for a path that cannot be expanded
 */
export async function expanded(call: Call, reply: object, paths: readonly string[]): Promise<object> {
  if (paths.length === 0) return reply
  const root: JsonObject = JSON.parse(JSON.stringify(reply))
  for (const path of paths) {
    const steps = path.split('.')
    const levels = steps.filter((step) => step !== 'data').length
    if (levels > deepest) {
      throw invalidRequest(`You cannot expand more than ${deepest} levels of a property. Property: ${path}`)
    }
    await expandIn(call, { object: root, owner: kindOf(root) }, { steps, path })
  }
  return root
}

interface At {
  object: JsonObject
  /** Kind of the nearest enclosing object. */
  owner: string
}

interface Way {
  steps: readonly string[]
  path: string
}

async function expandIn(call: Call, { object, owner }: At, { steps, path }: Way): Promise<void> {
  const [step = '', ...rest] = steps
  const value = object[step]
  if (typeof value === 'string' || value === null) {
    if (!expandable[owner]?.includes(step)) throw notExpandable(path)
    const found = value === null ? null : await objectOf(call, step, value)
    if (!found) return
    object[step] = found
    // Of what was deleted only its id is left: a path through it ends there, as in lists where some are deleted.
    if (found.deleted === true) return
    if (rest.length > 0) await expandIn(call, { object: found, owner: kindOf(found) }, { steps: rest, path })
    return
  }
  if (value === undefined && isIncludable(owner, step)) {
    const included = await includedValue(call, step, String(object.id))
    object[step] = JSON.parse(JSON.stringify(included))
    if (rest.length > 0) await expandIn(call, { object, owner }, { steps, path })
    return
  }
  if (isIds(value) && expandable[owner]?.includes(step)) {
    await readAhead(call.tx, value)
    object[step] = await oneByOne(value, async (id) => (await objectOf(call, step, id)) ?? id)
    if (rest.length > 0) await expandIn(call, { object, owner }, { steps, path })
    return
  }

  const isKnown = expandable[owner]?.includes(step)
  if (value === undefined || typeof value !== 'object') {
    if (isKnown) return
    throw notExpandable(path)
  }
  // Already expanded by an earlier path.
  if (rest.length === 0 && isKnown) return
  if (rest.length === 0) throw notExpandable(path)
  const inners = Array.isArray(value) ? value : [value]
  await readAhead(
    call.tx,
    inners.flatMap((inner) => idIn(inner, rest[0] ?? '')),
  )
  for (const inner of inners) {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) throw notExpandable(path)
    await expandIn(call, { object: inner, owner: kindOf(inner) || owner }, { steps: rest, path })
  }
}

function idIn(value: Json, name: string): string[] {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  const id = isObject ? value[name] : undefined
  return typeof id === 'string' ? [id] : []
}

function isIds(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')
}

async function objectOf({ tx, access }: Call, field: string, id: string): Promise<JsonObject | undefined> {
  // The ids of coupons are chosen by the vendor, and of products sometimes.
  const kind = field === 'coupon' || field === 'product' ? field : kindOfId(id)
  if (!kind) return undefined
  if (access === 'publishable') {
    const method = await find(tx, 'payment_method', id)
    return method && JSON.parse(JSON.stringify(forBrowsers(method.object)))
  }
  const stored = await find(tx, kind, id)
  if (stored) return JSON.parse(JSON.stringify(stored.object))
  return kind === 'customer' ? { id, object: 'customer', deleted: true } : undefined
}

function kindOf(object: JsonObject): string {
  return typeof object.object === 'string' ? object.object : ''
}

function notExpandable(path: string) {
  return invalidRequest(`This property cannot be expanded (${path}).`)
}
