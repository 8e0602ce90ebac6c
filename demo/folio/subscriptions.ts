import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'

type Subscription = Extract<FolioRecord, { type: 'subscription' }>
type Plan = Pick<Subscription, 'productCode' | 'status' | 'userCount'> & Partial<Subscription>

/** What the cast subscribes to. Periods began some days ago, and days count from today. */
export function* subscriptionRecords(today: Date): Generator<FolioRecord> {
  const at = (days: number) => daysBefore(today, days, 9).toISOString()
  const yearly = (began: number) => ({ periodStart: at(began), periodEnd: at(began - 365), autoRenewal: true })
  const monthly = (began: number) => ({ periodStart: at(began), periodEnd: at(began - 30), autoRenewal: true })

  yield subscription('ada', 'editor', { productCode: 'FPEPB', status: 'active', userCount: 12, ...yearly(120) })
  yield subscription('ada', 'esign', { productCode: 'FESB', status: 'active', userCount: 5, ...monthly(11) })
  yield subscription('ada', 'assistant', { productCode: 'FAI', status: 'active', userCount: 3, ...monthly(4) })
  yield subscription('ada', 'redact', {
    productCode: 'FSRP',
    status: 'trialing',
    userCount: 1,
    ...yearly(9),
    trialEnd: at(-5),
  })
  yield subscription('grace', 'editor', {
    productCode: 'FPEPB',
    status: 'past_due',
    userCount: 4,
    ...yearly(371),
    pastDueSince: at(6),
  })
  yield subscription('linus', 'suite', {
    productCode: 'FPEPI',
    status: 'active',
    userCount: 1,
    ...yearly(320),
    autoRenewal: false,
    cancelAt: at(320 - 365),
  })
  yield subscription('yuki', 'cloud', {
    productCode: 'FCL',
    status: 'active',
    userCount: 2,
    channel: 'paypal',
    ...monthly(17),
  })
  yield subscription('omar', 'editor', {
    productCode: 'FPEPB',
    status: 'offline-purchase',
    userCount: 30,
    origin: 'offline',
    channel: 'invoice',
    ...yearly(210),
    autoRenewal: false,
  })
  yield subscription('vera', 'education', {
    productCode: 'FPEPE',
    status: 'prepayment-expired',
    userCount: 10,
    origin: 'offline',
    channel: 'invoice',
    ...yearly(400),
    autoRenewal: false,
    endedAt: at(35),
  })
}

/** Who sits in Ada's and Omar's teams. */
export function* seatRecords(today: Date): Generator<FolioRecord> {
  const at = (days: number) => daysBefore(today, days, 10, 15).toISOString()
  const owners = ['ada-editor', 'ada-esign', 'ada-assistant', 'ada-redact', 'grace-editor', 'linus-suite', 'yuki-cloud']
  for (const id of [...owners, 'omar-editor', 'vera-education']) {
    yield seat(id, `${id.split('-')[0]}@folio.test`, 2, at(120))
  }
  yield seat('ada-editor', 'omar@folio.test', 1, at(118))
  yield seat('ada-editor', 'mina@folio.test', 3, at(117), { isUse: false })
  yield seat('ada-editor', 'pia@folio.test', 0, at(90))
  yield seat('ada-editor', 'linus@folio.test', 0, at(60), { isUse: false })
  yield seat('ada-editor', 'jonas.berg@lindqvist.test', 0, at(2), { status: 'Pending', isUse: false })
  yield seat('ada-editor', 'temp.intern@lindqvist.test', 0, at(24), { status: 'Pending', isUse: false })
  yield seat('ada-esign', 'pia@folio.test', 0, at(40))
  yield seat('omar-editor', 'pia@folio.test', 0, at(150))
}

function subscription(owner: string, name: string, plan: Plan): FolioRecord {
  return {
    type: 'subscription',
    subscriptionId: `${owner}-${name}`,
    email: `${owner}@folio.test`,
    origin: 'online',
    channel: 'card',
    periodStart: '',
    orgCode: `ORG-${owner.toUpperCase()}`,
    ...plan,
  }
}

type Seat = Extract<FolioRecord, { type: 'seat' }>

function seat(
  subscriptionId: string,
  email: string,
  seatType: Seat['seatType'],
  invited: string,
  others: Partial<Seat> = {},
): FolioRecord {
  return { type: 'seat', subscriptionId, email, seatType, status: 'Accepted', isUse: true, invited, ...others }
}
