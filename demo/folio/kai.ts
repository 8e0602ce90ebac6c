import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'
import { type Plan, seat, subscription } from './subscription-records.ts'

/** Kai has one product for each thing that My Products can say or ask, and a team around some of them. */
export function* kaiSubscriptions(today: Date): Generator<FolioRecord> {
  const at = (days: number) => daysBefore(today, days, 9).toISOString()
  const yearly = (began: number) => ({ term: 'yearly', periodStart: at(began), periodEnd: at(began - 365) }) as const
  const monthly = (began: number) => ({ term: 'monthly', periodStart: at(began), periodEnd: at(began - 30) }) as const
  const active = { status: 'active', userCount: 1, autoRenewal: true, currency: 'USD' } as const
  const plans: Readonly<Record<string, Plan>> = {
    /** Can be upgraded. */
    suite: { ...active, ...monthly(8), productCode: 'FPEPI', price: 1299 },
    team: { ...active, ...yearly(150), productCode: 'FPEPB', userCount: 10, price: 159_000 },
    sign: { ...active, ...monthly(5), productCode: 'FESB', userCount: 3, price: 7497 },
    /** Needs certain versions. */
    msp: { ...active, ...yearly(100), productCode: 'FPEMSP', price: 89_000 },
    /** More seats wait for the bank's confirmation (`billing.ts`). */
    editor: { ...active, ...yearly(12), productCode: 'FPE', userCount: 2, price: 21_800 },
    /** An invoice beside its periods was declined. */
    cloud: { ...active, ...monthly(14), productCode: 'FCL', price: 799 },
    /** A trial that is nearly over. */
    assistant: { ...active, ...monthly(9), productCode: 'FAI', status: 'trialing', trialEnd: at(-5), price: 499 },
    /** Was canceled, and ends soon. */
    redact: { ...active, ...yearly(345), productCode: 'FSRS', autoRenewal: false, cancelAt: at(-20), price: 19_900 },
    /** Paid for a year, which has ended. */
    mac: {
      ...{ ...active, ...yearly(377), productCode: 'FPM', status: 'prepayment-expired', autoRenewal: false },
      ...{ term: 'paid_yearly', endedAt: at(12), price: 11_900 },
    },
    /** Agreed with sales, and ends soon. */
    archive: {
      ...{ ...yearly(341), productCode: 'FSRSV', status: 'offline-purchase', userCount: 4 },
      ...{ term: undefined, origin: 'offline', channel: 'invoice' },
    },
  }
  for (const [name, plan] of Object.entries(plans)) yield subscription('kai', name, plan)
}

/** Who is in Kai's team and has no product of their own there, each for another reason. */
export function* kaiSeats(today: Date): Generator<FolioRecord> {
  const invited = daysBefore(today, 60, 10, 15).toISOString()
  for (const name of ['suite', 'team', 'sign', 'msp', 'editor', 'cloud', 'assistant', 'redact', 'mac', 'archive']) {
    yield seat(`kai-${name}`, 'kai@folio.test', 2, invited)
  }
  const noLicense = { isUse: false }
  // Folio PDF Editor+ has an admin console, and eSign has none.
  yield seat('kai-team', 'sofia@folio.test', 3, invited, noLicense)
  yield seat('kai-sign', 'uma@folio.test', 3, invited, noLicense)
  yield seat('kai-team', 'theo@folio.test', 0, invited, noLicense)
}
