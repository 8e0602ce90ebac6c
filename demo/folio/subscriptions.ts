import { daysBefore } from './dates.ts'
import { kaiSeats, kaiSubscriptions } from './kai.ts'
import type { FolioRecord } from './record.ts'
import { seat, subscription } from './subscription-records.ts'

type Subscription = Extract<FolioRecord, { type: 'subscription' }>

/** What the cast subscribes to. Periods began some days ago, and days count from today. */
export function* subscriptionRecords(today: Date): Generator<FolioRecord> {
  const at = (days: number) => daysBefore(today, days, 9).toISOString()
  const yearly = (began: number) => ({ periodStart: at(began), periodEnd: at(began - 365), autoRenewal: true })
  const monthly = (began: number) => ({ periodStart: at(began), periodEnd: at(began - 30), autoRenewal: true })

  const paid = (term: NonNullable<Subscription['term']>, price: number, currency = 'USD') => ({ term, price, currency })

  yield* adas()
  yield subscription('grace', 'editor', {
    ...{ productCode: 'FPEPB', status: 'past_due', userCount: 4, pastDueSince: at(6) },
    ...yearly(371),
    ...paid('yearly', 59_600, 'EUR'),
  })
  yield subscription('grace', 'studio', {
    ...{ productCode: 'FPEPB', status: 'active', userCount: 2 },
    ...monthly(3),
    ...paid('yearly_paid_monthly', 2598, 'EUR'),
  })
  yield subscription('linus', 'suite', {
    ...{ productCode: 'FPEPI', status: 'active', userCount: 1 },
    ...yearly(320),
    ...paid('yearly', 11_900, 'EUR'),
    autoRenewal: false,
    cancelAt: at(320 - 365),
  })
  yield subscription('linus', 'esign', {
    ...{ productCode: 'FESE', status: 'canceled', userCount: 1 },
    ...monthly(71),
    ...paid('monthly', 949, 'EUR'),
    autoRenewal: false,
    endedAt: at(41),
  })
  yield subscription('mina', 'cloud', {
    ...{ productCode: 'FCL', status: 'given', userCount: 1, origin: 'given', channel: 'invoice' },
    ...yearly(50),
    autoRenewal: false,
  })
  yield subscription('yuki', 'cloud', {
    ...{ productCode: 'FCL', status: 'active', userCount: 2, channel: 'paypal' },
    ...monthly(17),
    ...paid('monthly', 2400, 'JPY'),
  })
  yield subscription('omar', 'partner', {
    ...{ productCode: 'FPEPB', status: 'active', userCount: 8, priceHidden: true },
    ...yearly(140),
    ...paid('yearly', 119_200, 'EUR'),
  })
  yield subscription('omar', 'esign', {
    ...{ productCode: 'FESB', status: 'past_due', userCount: 4, priceHidden: true, pastDueSince: at(6) },
    ...monthly(36),
    ...paid('monthly', 9196, 'EUR'),
  })
  yield subscription('omar', 'editor', {
    ...{ productCode: 'FPEPB', status: 'offline-purchase', userCount: 30, origin: 'offline', channel: 'invoice' },
    ...yearly(210),
    autoRenewal: false,
  })
  yield subscription('vera', 'education', {
    ...{ productCode: 'FPEPE', status: 'prepayment-expired', userCount: 10, origin: 'offline', channel: 'invoice' },
    ...yearly(400),
    autoRenewal: false,
    endedAt: at(35),
  })

  yield* kaiSubscriptions(today)

  /** One of each kind, with an add-on. */
  function* adas(): Generator<FolioRecord> {
    const active = { status: 'active', userCount: 1 } as const
    yield subscription('ada', 'editor', {
      ...{ ...active, productCode: 'FPEPB', userCount: 12 },
      ...yearly(120),
      ...paid('yearly', 190_800),
    })
    yield subscription('ada', 'esign', {
      ...{ ...active, productCode: 'FESB', userCount: 5, connectors: 2 },
      ...monthly(11),
      ...paid('monthly', 14_895),
    })
    yield subscription('ada', 'connector', {
      ...{ ...active, productCode: 'FCNSF', parentId: 'ada-esign', created: at(7) },
      ...monthly(11),
      ...paid('monthly', 1200),
    })
    yield subscription('ada', 'assistant', {
      ...{ ...active, productCode: 'FAI', userCount: 3 },
      ...monthly(4),
      ...paid('monthly', 1497),
    })
    yield subscription('ada', 'redact', {
      ...{ productCode: 'FSRP', status: 'trialing', userCount: 1, trialEnd: at(-5) },
      ...yearly(9),
      ...paid('yearly', 49_900),
    })
    yield subscription('ada', 'server', {
      ...{ ...active, productCode: 'FSRSV', userCount: 2, cancelAt: at(200 - 365) },
      ...yearly(200),
      ...paid('yearly', 498_000),
      autoRenewal: false,
    })
    yield subscription('ada', 'storage', {
      ...{ ...active, productCode: 'FCLST', storageCapacity: 2 },
      ...yearly(33),
      ...paid('yearly', 23_800),
    })
    yield subscription('ada', 'mac', {
      ...{ ...active, productCode: 'FPM', userCount: 2 },
      ...yearly(330),
      ...paid('paid_yearly', 23_800),
      autoRenewal: false,
    })
  }
}

/** Who sits in Ada's and Omar's teams. */
export function* seatRecords(today: Date): Generator<FolioRecord> {
  const at = (days: number) => daysBefore(today, days, 10, 15).toISOString()
  const names = {
    ada: ['editor', 'esign', 'connector', 'assistant', 'redact', 'server', 'storage', 'mac'],
    grace: ['editor', 'studio'],
    linus: ['suite', 'esign'],
    mina: ['cloud'],
    yuki: ['cloud'],
    omar: ['partner', 'esign', 'editor'],
    vera: ['education'],
  }
  const owners = Object.entries(names).flatMap(([owner, subscriptions]) =>
    subscriptions.map((name) => `${owner}-${name}`),
  )
  for (const id of owners) {
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
  // Mina, who has the cloud service, manages seats in two enterprises.
  yield seat('omar-editor', 'mina@folio.test', 3, at(100), { isUse: false })
  yield* kaiSeats(today)
}
