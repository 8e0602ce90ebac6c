import type { PgTable } from 'drizzle-orm/pg-core'
import { businessClock } from '../../db/business-clock.tables.ts'
import { rateLimits } from '../../db/rate-limits.tables.ts'
import { archiveParts } from '../archives/archives.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { coupons } from '../coupons/coupons.tables.ts'
import { dictionaryEntries } from '../dictionaries/dictionaries.tables.ts'
import { numberSeries } from '../orders/orders.tables.ts'
import { acceptedTerms, termsLessThanPlan } from '../payments/unmatched/unmatched.tables.ts'
import { providerEventReads, providerEvents } from '../payments/webhooks/webhooks.tables.ts'
import { roadmapItems } from '../roadmap/roadmap.tables.ts'
import { signingKeys } from '../session/session.tables.ts'
import { enterprises } from '../subscriptions/enterprises.tables.ts'
import { paypalPayments } from '../subscriptions/paypal-payments.tables.ts'
import { paypalTrials } from '../subscriptions/paypal-trials.tables.ts'
import { subscriptionNotices } from '../subscriptions/subscription-notices.tables.ts'
import { supportSignIns } from '../support-sessions/support-sessions.tables.ts'
import { accountTables } from './account-tables.ts'
import { erasedAddresses } from './erased-addresses.tables.ts'
import { licenseTables } from './license-tables.ts'
import type { PersonalTable } from './personal-table.ts'
import { purchaseTables } from './purchase-tables.ts'

/** Every table with personal data, in the order of an erasure: what finds rows by others comes before these. */
export const personalTables: readonly PersonalTable[] = [...purchaseTables, ...licenseTables, ...accountTables]

/** Every other table, and why it has none. */
export const impersonalTables: ReadonlyMap<PgTable, string> = new Map<PgTable, string>([
  [archiveParts, 'pieces of archives, deleted with them'],
  [businessClock, 'one number'],
  [coupons, 'the vendor’s offers'],
  [dictionaryEntries, 'the vendor’s words'],
  [enterprises, 'organizations'],
  [erasedAddresses, 'keyed hashes, which must outlive an erasure'],
  [acceptedTerms, 'ids of subscriptions, and their prices'],
  [termsLessThanPlan, 'ids of subscriptions, and words of ours'],
  [numberSeries, 'counters'],
  [paypalPayments, 'ids of payments, and what each was for'],
  [paypalTrials, 'ids of subscriptions, and their trials'],
  [products, 'the catalog'],
  [providerEventReads, 'moments'],
  [providerEvents, 'ids of events, deleted after PROVIDER_EVENT_DAYS'],
  [providerPrices, 'the catalog'],
  [rateLimits, 'counts, deleted an hour after they end'],
  [roadmapItems, 'the vendor’s plans'],
  [signingKeys, 'keys of this program'],
  [subscriptionNotices, 'which reminders were sent for a subscription'],
  [supportSignIns, 'the vendor’s own people, deleted after 10 minutes'],
])
