import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasHiddenMark } from '@atrium/contract/text.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { projectFolder, sourceFiles } from './check/source-files.ts'

/**
 * Texts that are compared with what is stored or registered, and are neither stored nor shown themselves: secrets, ids, codes; and the
 * addresses of an invitation, each of which is answered by itself.
 */
const compared = new Set([
  ...['accessToken', 'answer', 'password', 'passwordHash', 'pendingId', 'popupId', 'proof', 'request', 'token'],
  ...['appCode', 'discountBizType', 'orgCode', 'paymentMethodId', 'productCode', 'service', 'subject', 'type'],
  ...['cancelSubIds', 'id', 'invoiceId', 'invoiceNum', 'licenseId', 'orderNum', 'sid', 'sku', 'userTypeId'],
  ...['stripeSubscriptionId', 'subscriptionId', 'upgradeSelect', 'emailList', 'planned'],
])

/** A text that a schema lets in, by its path. */
interface Door {
  path: string
  schema: z.ZodType
}

test('every text that comes in over the wire or in a file loses marks that are not seen, or is refused', async () => {
  const doors = await textDoors()
  const paths = doors.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(knownDoors))
  expect(doors.flatMap(({ path, schema }) => (letsMarksIn(schema) ? path : []))).toEqual([])
})

test('a text that is not of the helpers is found', () => {
  expect(letsMarksIn(z.string().trim().max(100))).toBe(true)
  expect(letsMarksIn(z.string().min(1).max(100).default(''))).toBe(true)
  expect(doorsIn('x', z.object({ list: z.array(z.object({ name: z.string().optional() })) }))).toHaveLength(1)
})

test('an address is compared in its one form, wherever that is', async () => {
  const files = sourceFiles([
    'apps/{account-server,account-web,sso}/{src,web}/**/*.{ts,tsx}',
    'packages/*/src/**/*.{ts,tsx}',
  ])
  const lowered =
    /e?mail(Address|_address)?\)?(\?\?[^)\n]*\))?\??(\.trim\(\))?\??\.(toLowerCase|normalize)\(|z\.email\(/i
  const own: string[] = []
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name))) {
    if (lowered.test(await readFile(join(projectFolder, file), 'utf8'))) own.push(file)
  }
  expect(own).toEqual([])
})

/** One of each kind of door. */
const knownDoors = [
  'updateProfile.body.firstName',
  'addAddress.body.orderBillCity',
  'updateCard.body.lastname',
  'requestQuote.body.message',
  'subscriptionCancel.body.comment',
  'subscriptionTransfer.body.email',
  'startSupportSession.body.reason',
  'searchAccount.query.keyWord',
  'activateDevice.body.hostName',
  'signUp.body.firstName',
  'signIn.body.email',
  'member.firstName',
  'order.buyer.address',
  'account.email',
]

async function textDoors(): Promise<Door[]> {
  const files = sourceFiles([
    'packages/contract/src/*.ts',
    'apps/sso/src/*wire.ts',
    'apps/sso/src/commands/account-record.ts',
  ])
  const doors: Door[] = []
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const module: Record<string, unknown> = await import(join(projectFolder, file))
    for (const [name, value] of Object.entries(module)) doors.push(...doorsOf(name, value))
  }
  return doors.filter(({ path }) => !path.split('.').some((part) => compared.has(part)))
}

/** Those of an endpoint, or of the records of an import. */
function doorsOf(name: string, value: unknown): Door[] {
  if (value instanceof z.ZodDiscriminatedUnion && /Records?$/.test(name)) return value.options.flatMap(recordDoors)
  if (typeof value !== 'object' || value === null || !('path' in value && 'reply' in value)) return []
  return Object.entries(value).flatMap(([part, schema]) =>
    ['params', 'query', 'body'].includes(part) ? doorsIn(`${name}.${part}`, schema) : [],
  )
}

function recordDoors(record: unknown): Door[] {
  if (!(record instanceof z.ZodObject)) throw new Error('a record is an object')
  const { type, ...fields } = record.shape
  return Object.entries(fields).flatMap(([name, schema]) => doorsIn(`${type.value}.${name}`, schema))
}

function doorsIn(path: string, schema: unknown): Door[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, inner]) => doorsIn(`${path}.${name}`, inner))
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => doorsIn(path, option))
  if (schema instanceof z.ZodArray) return doorsIn(path, schema.element)
  if (schema instanceof z.ZodRecord) return doorsIn(path, schema.valueType)
  if (schema instanceof z.ZodString) return [{ path, schema }]
  if (schema instanceof z.ZodPipe) return doorsIn(path, schema.in).map((door) => ({ ...door, schema }))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return doorsIn(path, schema.unwrap())
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodCatch) return doorsIn(path, schema.unwrap())
  return []
}

/** A short and a long text with marks: one of them has a length that the schema takes. */
const marked = ['Ada\u202e\u0007 Lo\u200b', 'Ada\u202e\u0007 Lovelace and Charles\u200b']

function letsMarksIn(schema: z.ZodType): boolean {
  const answers = marked.map((text) => schema.safeParse(text))
  const fitting = answers.filter(
    ({ error }) => !error?.issues.some(({ code }) => code === 'too_small' || code === 'too_big'),
  )
  if (fitting.length === 0) throw new Error('neither text has the right length')
  return fitting.some(({ data }) => typeof data === 'string' && hasHiddenMark(data))
}
