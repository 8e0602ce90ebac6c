import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, inArray, ne } from 'drizzle-orm'
import {
  type Context,
  dateOrNull,
  importer,
  type Line,
  noMember,
  noProduct,
  refused,
  rowsOf,
} from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { productCodes } from '../catalog/catalog.queries.ts'
import { lockSubscriptions } from '../subscriptions/subscriptions.queries.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { licenseKeys, licenses } from './licenses.tables.ts'
import { licensesOfContacts, writeContacts, writeLicenses } from './licenses.writes.ts'

const noLicense = refused('licenseId', 'there is no such license')

export const licenseImporter = importer('license', async (tx, lines, context) => {
  const codes = await productCodes(tx)
  const known = await knownSubscriptions(
    tx,
    lines.flatMap(({ record }) => record.subscriptionId ?? []),
  )
  const rows = rowsOf(lines, context, (record) => {
    const { subscriptionId, productCode, version, edition, language, platform, activationMethod, acLiceId } = record
    if (subscriptionId !== undefined && !known.has(subscriptionId)) {
      return refused('subscriptionId', 'there is no such subscription')
    }
    if (productCode !== undefined && !codes.has(productCode)) return noProduct
    return {
      id: record.licenseId,
      subscriptionId: subscriptionId ?? null,
      productCode: productCode ?? null,
      seats: record.seats ?? null,
      expiresAt: record.expirationDate ? new Date(record.expirationDate * 1000) : null,
      createdAt: new Date(record.created),
      revokedAt: dateOrNull(record.revoked),
      version,
      edition,
      language,
      platform,
      activationMethod,
      acLiceId,
    }
  })
  if (rows.length === 0) return

  await writeLicenses(tx, rows)
})

export const licenseContactImporter = importer('license-contact', async (tx, lines, context) => {
  const memberIds = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const licenseIds = lines.map(({ record }) => record.licenseId)
  const former = await formerOwners(tx, licenseIds)
  const known = await licensesOfContacts(tx, licenseIds)
  const rows = rowsOf(lines, context, ({ licenseId, email, relationship, userRole }) => {
    const license = known.get(licenseId)
    const memberId = memberIds.get(email)
    if (!license) return noLicense
    if (!memberId) return noMember
    if (relationship === 'Holder' && former.get(license.subscriptionId ?? '') === memberId)
      return refused('email', 'the subscription was transferred to another customer, who is the Holder')
    return { ...license, memberId, relationship, userRole }
  })
  if (rows.length === 0) return

  await writeContacts(tx, rows)
})

export const licenseKeyImporter = importer('license-key', async (tx, lines, context) => {
  const known = await knownLicenses(
    tx,
    lines.map(({ record }) => record.licenseId),
  )
  const rows = rowsOf(lines, context, ({ key, licenseId, seats, revoked }) => {
    const license = known.get(licenseId)
    if (!license) return noLicense
    if (license.activationMethod !== 'keycode') {
      return refused('licenseId', 'the license is activated by e-mail, not with keys')
    }
    return { key, licenseId, seats: seats ?? null, revokedAt: dateOrNull(revoked) }
  })
  if (rows.length === 0) return
  await warnOfMoves(tx, lines, context)

  await tx
    .insert(licenseKeys)
    .values(rows)
    .onConflictDoUpdate({
      target: licenseKeys.key,
      set: excluded(licenseKeys, ['licenseId', 'seats', 'revokedAt']),
    })
})

/** A key that appears under two licenses is more often an export error than a move. */
async function warnOfMoves(
  tx: Tx,
  lines: readonly Line<'license-key'>[],
  { warn }: Pick<Context, 'warn'>,
): Promise<void> {
  const keys = lines.map(({ record }) => record.key)
  const found = await tx
    .select({ key: licenseKeys.key, licenseId: licenseKeys.licenseId })
    .from(licenseKeys)
    .where(inArray(licenseKeys.key, keys))
  const before = new Map(found.map(({ key, licenseId }) => [key, licenseId]))
  for (const line of lines) {
    const was = before.get(line.record.key)
    if (was !== undefined && was !== line.record.licenseId)
      warn(line, 'licenseId', `the key was of license ${was}, and moves`)
  }
}

async function knownSubscriptions(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(inArray(subscriptions.id, [...new Set(ids)]))
  return new Set(found.map(({ id }) => id))
}

/**
 * Whom a file has named as the Owner last, by the id of the license's subscription, of those that have another one since. They stay locked, as
 * a transfer locks them: one that is under way would leave a contact that it does not see.
 */
async function formerOwners(tx: Tx, licenseIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const ofLicenses = await tx
    .select({ id: licenses.subscriptionId })
    .from(licenses)
    .where(inArray(licenses.id, [...new Set(licenseIds)]))
  const ids = ofLicenses.flatMap((license) => license.id ?? [])
  await lockSubscriptions(tx, ids)
  const { id, memberId, importedFor } = subscriptions
  const isMoved = and(inArray(id, ids), ne(importedFor, memberId))
  const found = await tx.select({ id, importedFor }).from(subscriptions).where(isMoved)
  return new Map(found.map((row) => [row.id, row.importedFor]))
}

async function knownLicenses(tx: Tx, ids: readonly string[]) {
  const found = await tx
    .select({ id: licenses.id, activationMethod: licenses.activationMethod })
    .from(licenses)
    .where(inArray(licenses.id, [...new Set(ids)]))
  return new Map(found.map((license) => [license.id, license]))
}
