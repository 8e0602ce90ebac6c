import { sql } from 'drizzle-orm'
import { index, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'
import { licenseKeys } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'

/**
 * SHA-256 of `activationId`, the product's secret: with it and the MAC address a device validates and deactivates itself
 * without a sign-in. Null for an imported device until the product activates it.
 */
const tokenHash = text('token_hash')

/** Devices activated with a key, one row per activation, as a history. */
export const keyDevices = account.table(
  'key_devices',
  {
    /** On the wire: `itemId`. */
    id: uuid('id').primaryKey().defaultRandom(),
    keyId: uuid('key_id')
      .notNull()
      .references(() => licenseKeys.id),
    /** `3C:06:30:12:9A:04` */
    macAddress: text('mac_address').notNull(),
    pcName: text('pc_name').notNull(),
    /** `12.1.0` */
    appVersion: text('app_version').notNull(),
    requestedAt: timestamp('requested_at', { withTimezone: true }).notNull(),
    /** Null while it is active. */
    deactivatedAt: timestamp('deactivated_at', { withTimezone: true }),
    /** `member`: in the page, counted against the yearly allowance; `device`: by the product itself. */
    deactivatedBy: text('deactivated_by', { enum: ['member', 'device', 'vendor'] }),
    tokenHash,
  },
  (table) => [
    uniqueIndex('key_devices_token').on(table.tokenHash),
    index('key_devices_of_key').on(table.keyId, table.requestedAt.desc(), table.id),
    uniqueIndex('key_devices_one_record').on(table.keyId, table.macAddress, table.requestedAt),
    uniqueIndex('key_devices_one_active').on(table.keyId, table.macAddress).where(sql`${table.deactivatedAt} is null`),
  ],
)

/** Devices activated by e-mail, one row per device. Belongs to a seat, and is inactive without it. */
export const emailDevices = account.table(
  'email_devices',
  {
    /** On the wire: `licenseId` of the device. */
    id: uuid('id').primaryKey().defaultRandom(),
    seatId: uuid('seat_id')
      .notNull()
      .references(() => seats.id),
    /** Copied from the seat, where it never changes, so that an Owner's list is read by index. */
    subscriptionId: text('subscription_id').notNull(),
    hostName: text('host_name').notNull(),
    mac: text('mac').notNull(),
    appName: text('app_name').notNull(),
    appVersion: text('app_version').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
    deactivatedAt: timestamp('deactivated_at', { withTimezone: true }),
    tokenHash,
  },
  (table) => [
    uniqueIndex('email_devices_token').on(table.tokenHash),
    uniqueIndex('email_devices_one_a_seat').on(table.seatId, table.mac, table.appName),
    index('email_devices_of_seat').on(table.seatId, table.updatedAt.desc(), table.id),
    index('email_devices_of_subscription').on(table.subscriptionId, table.updatedAt.desc(), table.id),
  ],
)
