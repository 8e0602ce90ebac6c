import { addressRecords } from './folio/addresses.ts'
import { bulkMemberRecords, bulkRecords } from './folio/bulk.ts'
import { couponRecords } from './folio/coupons.ts'
import { deviceRecords } from './folio/devices.ts'
import { dictionaryRecords } from './folio/dictionaries.ts'
import { enterpriseRecords } from './folio/enterprises.ts'
import { licenseRecords } from './folio/licenses.ts'
import { memberRecords } from './folio/members.ts'
import { offlineOrderRecords } from './folio/offline-orders.ts'
import { orderRecords } from './folio/orders.ts'
import { productRecords } from './folio/products.ts'
import type { FolioRecord } from './folio/record.ts'
import { roadmapRecords } from './folio/roadmap.ts'
import { seatRecords, subscriptionRecords } from './folio/subscriptions.ts'

/**
 * "Folio", the demo vendor: what a vendor's own systems would export, in the order in which it can be loaded. Always
 * the same for the same day; dates count from it.
 */
export function* folioRecords(today: Date): Generator<FolioRecord> {
  yield* dictionaryRecords(today)
  yield* productRecords()
  yield* couponRecords(today)
  yield* roadmapRecords(today)
  yield* memberRecords(today)
  yield* bulkMemberRecords()
  yield* addressRecords(today)
  yield* offlineOrderRecords(today)
  yield* orderRecords(today)
  yield* enterpriseRecords()
  yield* subscriptionRecords(today)
  yield* seatRecords(today)
  yield* licenseRecords(today)
  yield* deviceRecords(today)
  yield* bulkRecords(today)
}
