import type { Call } from '../requests/call.ts'
import type { StoredOf } from '../store/stored.ts'
import { type Attempt, bankAnswer } from '../test-cards/behavior.rules.ts'
import { isExpired } from './card.rules.ts'

type Circumstances = Pick<Attempt, 'purpose' | 'isOffSession' | 'isAskedFor' | 'isAuthenticated'>

/** The answer of this card's bank. */
export function askBank({ now }: Call, { object, hidden }: StoredOf<'payment_method'>, circumstances: Circumstances) {
  const { card } = object
  return bankAnswer({
    behavior: hidden.behavior,
    isSetUp: hidden.isSetUp,
    isExpired: card !== undefined && isExpired({ month: card.exp_month, year: card.exp_year }, now),
    ...circumstances,
  })
}
