import { faultsIn } from '../../provider-kit/faults.ts'
import { paypalFaults } from './paypal.tables.ts'

/** Patterns of requests are paths with their version, such as `/v2/checkout/orders/5O1/capture`. */
export const faults = faultsIn(paypalFaults)
