import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import { products } from '../catalog/catalog.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/** The right to use a product. A subscription's only points at it: product, seats and end come by join. */
export const licenses = account.table(
  'licenses',
  {
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id').references(() => subscriptions.id),
    productCode: text('product_code').references(() => products.code),
    seats: integer('seats'),
    /** Null, without a subscription: perpetual. */
    expiresAt: timestamp('expires_at', { withTimezone: true }),
    version: text('version').notNull(),
    edition: text('edition').notNull(),
    language: text('language').notNull(),
    platform: text('platform').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When the vendor took it back. */
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    activationMethod: text('activation_method', { enum: ['keycode', 'email'] }).notNull(),
    /** Of one that can be converted to the new admin console; empty: it cannot. */
    acLiceId: text('ac_lice_id').notNull(),
  },
  (table) => [
    index('licenses_of_subscription').on(table.subscriptionId),
    check(
      'licenses_own_or_subscribed',
      sql`case when ${table.subscriptionId} is null then ${table.productCode} is not null and ${table.seats} is not null
        else ${table.productCode} is null and ${table.seats} is null and ${table.expiresAt} is null end`,
    ),
  ],
)

/**
 * What a member is to a license. The Holder of a subscription's license is the subscription's Owner, and not here. From
 * `subscriptionId` on it is the license's own, denormalized so that a member's list is counted, filtered and sorted by rows
 * that lie together, however many licenses others have; `licenses.writes.ts` keeps it so.
 */
export const licenseContacts = account.table(
  'license_contacts',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    licenseId: text('license_id')
      .notNull()
      .references(() => licenses.id),
    relationship: text('relationship', { enum: ['Holder', 'Partner', 'Contact'] }).notNull(),
    userRole: text('user_role', { enum: ['', 'ship', 'bill', 'sold', 'commercial'] }).notNull(),
    subscriptionId: text('subscription_id'),
    productCode: text('product_code'),
    expiresAt: timestamp('expires_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    activationMethod: text('activation_method', { enum: ['keycode', 'email'] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.memberId, table.licenseId] }),
    index('license_contacts_of_license').on(table.licenseId),
    // All that the list asks of a license, so that it is read off these alone.
    index('license_contacts_of_member')
      .on(
        table.memberId,
        table.createdAt.desc(),
        table.licenseId.desc(),
        table.productCode,
        table.expiresAt,
        table.revokedAt,
        table.activationMethod,
        table.relationship,
      )
      .where(sql`${table.subscriptionId} is null`),
    index('license_contacts_of_member_subscribed')
      .on(
        table.memberId,
        table.subscriptionId,
        table.licenseId,
        table.createdAt,
        table.revokedAt,
        table.activationMethod,
        table.relationship,
      )
      .where(sql`${table.subscriptionId} is not null`),
  ],
)

/** The keys of a license. On the wire a key is named by `id`, and shown in full to its Holder alone. */
export const licenseKeys = account.table(
  'license_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    licenseId: text('license_id')
      .notNull()
      .references(() => licenses.id),
    key: text('key').notNull().unique('license_keys_key'),
    /** Devices it may activate at once; null: as many as the license has seats. */
    seats: integer('seats'),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    /** Order in which they came: the first is the license's first. An import burns numbers on keys that are there. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity(),
  },
  (table) => [index('license_keys_of_license').on(table.licenseId, table.position)],
)
