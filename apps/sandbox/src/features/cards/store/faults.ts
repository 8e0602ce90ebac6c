import { faultsIn } from '../../provider-kit/faults.ts'
import { cardFaults } from './cards.tables.ts'

/** Patterns of requests are paths below `/v1`, such as `/setup_intents/seti_1/confirm`. */
export const faults = faultsIn(cardFaults)
