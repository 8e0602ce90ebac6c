import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import { products } from '../catalog/catalog.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/** The right to use a product. For a subscription's license, product, seats and end come from the subscription by join. */
export const licenses = account.table(
  'licenses',
  {
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id').references(() => subscriptions.id),
    productCode: text('product_code').references(() => products.code),
    seats: integer('seats'),
    /** Null without a subscription: perpetual. */
    expiresAt: timestamp('expires_at', { withTimezone: true }),
    version: text('version').notNull(),
    edition: text('edition').notNull(),
    language: text('language').notNull(),
    platform: text('platform').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When the vendor revoked it. */
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    activationMethod: text('activation_method', { enum: ['keycode', 'email'] }).notNull(),
    /** Set if it can be converted to the new admin console, else empty. */
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
 * A member's relationship to a license. The Holder of a subscription's license is its Owner and has no row. The columns from
 * `subscriptionId` on are denormalized from the license, so that a member's list reads adjacent rows only; `licenses.writes.ts`
 * maintains them.
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
    // Covers the list, for index-only scans.
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

/** The keys of a license. On the wire a key is identified by `id`; only its Holder sees it in full. */
export const licenseKeys = account.table(
  'license_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    licenseId: text('license_id')
      .notNull()
      .references(() => licenses.id),
    key: text('key').notNull().unique('license_keys_key'),
    /** Devices it may activate concurrently; null: as many as the license has seats. */
    seats: integer('seats'),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    /** Import order; the first is the license's first key. Repeated imports leave gaps. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity(),
  },
  (table) => [index('license_keys_of_license').on(table.licenseId, table.position)],
)
