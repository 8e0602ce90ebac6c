interface DemoCard {
  /** One of the provider’s test payment methods: no number is anywhere in the demo. */
  method: `pm_card_${string}`
  /** 1 to 12, and years from today’s: a card of a year before has run out since it was added. */
  expires: { month: number; years: number }
  line1: string
  city: string
  state?: string
  zip: string
  country: string
}

interface DemoHolder {
  email: string
  firstName: string
  lastName: string
  /** The first is the default; none: a partner pays. */
  cards: readonly DemoCard[]
}

const studio = { line1: '548 Market Street', city: 'San Francisco', state: 'CA', zip: '94104', country: 'US' }
const berlin = { line1: 'Kantstraße 24', city: 'Berlin', zip: '10623', country: 'DE' }

/** What the vendor’s customers have at the card provider. */
export const demoHolders: readonly DemoHolder[] = [
  {
    ...{ email: 'ada@folio.test', firstName: 'Ada', lastName: 'Lindqvist' },
    cards: [
      { method: 'pm_card_visa', expires: { month: 8, years: 3 }, ...studio },
      { method: 'pm_card_mastercard', expires: { month: 11, years: 2 }, ...studio },
      { method: 'pm_card_amex', expires: { month: 12, years: 0 }, ...studio },
      { method: 'pm_card_visa_debit', expires: { month: 2, years: -1 }, ...berlin },
    ],
  },
  {
    ...{ email: 'grace@folio.test', firstName: 'Grace', lastName: 'Hoffmann' },
    cards: [{ method: 'pm_card_chargeCustomerFail', expires: { month: 5, years: 1 }, ...berlin }],
  },
  {
    ...{ email: 'linus@folio.test', firstName: 'Linus', lastName: 'Okafor' },
    cards: [
      {
        ...{ method: 'pm_card_mastercard', expires: { month: 9, years: 2 } },
        ...{ line1: '88 Pitt Street', city: 'Sydney', zip: '2000', country: 'AU' },
      },
    ],
  },
  {
    ...{ email: 'mina@folio.test', firstName: 'Mina', lastName: 'Haddad' },
    cards: [
      {
        ...{ method: 'pm_card_visa', expires: { month: 3, years: 3 } },
        ...{ line1: '12 rue de Rivoli', city: 'Paris', zip: '75004', country: 'FR' },
      },
    ],
  },
  {
    ...{ email: 'kai@folio.test', firstName: 'Kai', lastName: 'Winters' },
    // It has run out, and the next charge is near.
    cards: [
      {
        ...{ method: 'pm_card_visa', expires: { month: 12, years: -1 } },
        ...{ line1: '1200 Pine Street', city: 'Seattle', state: 'WA', zip: '98101', country: 'US' },
      },
    ],
  },
  { ...{ email: 'omar@folio.test', firstName: 'Omar', lastName: 'Reyes' }, cards: [] },
]
