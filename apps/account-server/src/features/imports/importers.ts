import type { Importer } from '../../db/importer.ts'
import { addressImporter } from '../addresses/addresses.import.ts'
import { productImporter } from '../catalog/catalog.import.ts'
import { couponImporter } from '../coupons/coupons.import.ts'
import { emailDeviceImporter, keyDeviceImporter } from '../devices/devices.import.ts'
import { dictionaryImporter } from '../dictionaries/dictionaries.import.ts'
import { licenseContactImporter, licenseImporter, licenseKeyImporter } from '../licenses/licenses.import.ts'
import { offlineOrderImporter } from '../orders/offline-orders.import.ts'
import { onlineOrderImporter } from '../orders/online-orders.import.ts'
import { providerCustomerImporter } from '../payments/customers/customers.import.ts'
import { memberImporter } from '../profile/profile.import.ts'
import { roadmapItemImporter } from '../roadmap/roadmap.import.ts'
import { enterpriseImporter } from '../subscriptions/enterprises.import.ts'
import { subscriptionImporter } from '../subscriptions/subscriptions.import.ts'
import { seatCheckOfSeats, seatCheckOfSubscriptions, seatImporter } from '../team/team.import.ts'

/** The importers of all types of lines, in this order. */
export const importers: readonly Importer[] = [
  memberImporter,
  addressImporter,
  providerCustomerImporter,
  dictionaryImporter,
  productImporter,
  couponImporter,
  roadmapItemImporter,
  onlineOrderImporter,
  offlineOrderImporter,
  enterpriseImporter,
  subscriptionImporter,
  seatCheckOfSubscriptions,
  seatImporter,
  seatCheckOfSeats,
  licenseImporter,
  licenseContactImporter,
  licenseKeyImporter,
  keyDeviceImporter,
  emailDeviceImporter,
]
