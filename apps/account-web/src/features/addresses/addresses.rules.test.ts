import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { expect, test } from 'vitest'
import { addressLines, asDefault } from './addresses.rules.ts'

interface Written {
  country: string
  state?: string
  city?: string
  zip: string
  street?: string
}

function address({ country, state = '', city = '', zip, street = '' }: Written): BillingAddress {
  return {
    id: `${country}-${zip}`,
    ...{ orderBillCountry: country, orderBillState: state, orderBillStateName: state, orderBillCity: city },
    ...{ orderBillZip: zip, orderBillAddress: street, orderBillFirstName: 'Ada', orderBillLastName: 'Lindqvist' },
    ...{ orderBillContactEmail: 'ada@folio.test', company: '', isDefaultAddress: 0 },
  }
}

test.each<[string, Written, string[]]>([
  [
    'United States',
    { country: 'US', state: 'California', city: 'San Francisco', zip: '94107', street: '412 Brannan St' },
    ['412 Brannan St', 'San Francisco, California 94107', 'United States'],
  ],
  [
    'Germany',
    { country: 'DE', state: 'Bayern', city: 'München', zip: '80331', street: 'Sendlinger Straße 8' },
    ['Sendlinger Straße 8', '80331 München', 'Bayern', 'Germany'],
  ],
  [
    'United Kingdom',
    { country: 'GB', state: 'London', city: 'London', zip: 'EC1R 4QL', street: '27 Rosebery Avenue' },
    ['27 Rosebery Avenue', 'London', 'EC1R 4QL', 'United Kingdom'],
  ],
  [
    'India',
    { country: 'IN', state: 'Karnataka', city: 'Bengaluru', zip: '560001', street: '14 Church Street' },
    ['14 Church Street', 'Bengaluru 560001', 'Karnataka', 'India'],
  ],
  [
    'Japan',
    { country: 'JP', state: 'Tokyo', city: 'Shibuya-ku', zip: '150-0001', street: '4-26-18 Jingumae' },
    ['4-26-18 Jingumae', 'Shibuya-ku, Tokyo 150-0001', 'Japan'],
  ],
  [
    '日本',
    { country: 'JP', state: 'Tokyo', city: '千代田区', zip: '101-0051', street: '神田神保町 1-17' },
    ['101-0051', 'Tokyo 千代田区', '神田神保町 1-17', '日本'],
  ],
])('an address in %s has the format of the country', (countryName, written, lines) => {
  expect(addressLines(address(written), countryName)).toEqual(lines)
})

test('missing parts leave no gap, and equal parts are written once', () => {
  expect(addressLines(address({ country: 'US', state: 'Ohio', zip: '44101' }), 'United States')).toEqual([
    'Ohio 44101',
    'United States',
  ])
  const berlin = address({ country: 'DE', state: 'Berlin', city: 'berlin', zip: '10119' })
  expect(addressLines(berlin, 'Germany')).toEqual(['10119 berlin', 'Germany'])
  expect(addressLines(address({ country: 'GI', state: 'Gibraltar', zip: 'GX11' }), 'Gibraltar')).toEqual([
    'GX11',
    'Gibraltar',
  ])
})

test('setting a default clears the previous one', () => {
  const [one, other] = [address({ country: 'DE', zip: '1' }), address({ country: 'DE', zip: '2' })]
  const list = asDefault(asDefault([one, other], one.id), other.id)
  expect(list.map(({ isDefaultAddress }) => isDefaultAddress)).toEqual([0, 1])
})
