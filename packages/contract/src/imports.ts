import { z } from 'zod'
import { DictionaryRecord, ProductRecord } from './imports/catalog.ts'
import { CouponRecord } from './imports/coupons.ts'
import { AddressRecord, MemberRecord, ProviderCustomerRecord } from './imports/customers.ts'
import { EmailDeviceRecord, KeyDeviceRecord } from './imports/devices.ts'
import { LicenseContactRecord, LicenseKeyRecord, LicenseRecord } from './imports/licenses.ts'
import { OfflineOrderRecord, OrderRecord } from './imports/orders.ts'
import { RoadmapItemRecord } from './imports/roadmap.ts'
import { EnterpriseRecord, SeatRecord, SubscriptionRecord } from './imports/subscriptions.ts'

/** One line of an import file (`docs/imports.md`). Unknown fields are refused. */
export const ImportRecord = z.discriminatedUnion('type', [
  MemberRecord,
  AddressRecord,
  ProviderCustomerRecord,
  DictionaryRecord,
  ProductRecord,
  CouponRecord,
  RoadmapItemRecord,
  OfflineOrderRecord,
  OrderRecord,
  EnterpriseRecord,
  SubscriptionRecord,
  SeatRecord,
  LicenseRecord,
  LicenseContactRecord,
  LicenseKeyRecord,
  KeyDeviceRecord,
  EmailDeviceRecord,
])
export type ImportRecord = z.output<typeof ImportRecord>

const naturalKeys = new Map(
  ImportRecord.options.map((schema) => [schema.shape.type.value, z.array(z.string()).parse(schema.meta()?.naturalKey)]),
)

/** Lines with the same key describe the same thing. */
export function naturalKeyOf(record: ImportRecord): string {
  return JSON.stringify(naturalKeys.get(record.type)?.map((field): unknown => Reflect.get(record, field)))
}
