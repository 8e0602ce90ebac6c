import type { AddressEdit, BillingAddress } from '@atrium/contract/addresses.ts'

/** Lines of an envelope: a comma separates groups, a space the parts of a group. */
type Format = readonly string[]

const zipFirst: Format = ['street', 'zip city', 'state']
const stateAndZip: Format = ['street', 'city, state zip']
const zipAfterCity: Format = ['street', 'city zip', 'state']
const zipLast: Format = ['street', 'city', 'state', 'zip']
const largestFirst: Format = ['zip', 'state city', 'street']

/** Countries whose order differs from the most common one, which has the zip before the city. */
const formats = new Map<string, Format>([
  ...['US', 'CA', 'AU', 'PR', 'GU', 'VI', 'AS', 'MP', 'JP', 'CN', 'TW', 'KR'].map(formatted(stateAndZip)),
  ...['IN', 'NZ', 'SG', 'ID', 'PK', 'BD', 'TH', 'NP', 'LK', 'SA', 'JO'].map(formatted(zipAfterCity)),
  ...['GB', 'IE', 'GG', 'JE', 'IM', 'GI', 'ZA', 'KE', 'BR', 'RU', 'UA', 'HK', 'VN'].map(formatted(zipLast)),
])

function formatted(format: Format) {
  return (country: string): [string, Format] => [country, format]
}

const easternScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** The lines of an address in its country's usual order, ending with the country's name; no duplicates. */
export function addressLines(address: BillingAddress, countryName: string): string[] {
  const parts = new Map([
    ['street', address.orderBillAddress],
    ['city', address.orderBillCity],
    ['state', stateApart(address, countryName)],
    ['zip', address.orderBillZip],
  ])
  const filled = (group: string) =>
    group
      .split(' ')
      .map((part) => parts.get(part))
      .filter(Boolean)
      .join(' ')
  const lines = formatOf(address).map((line) => line.split(', ').map(filled).filter(Boolean).join(', '))
  return [...lines, countryName].filter(Boolean)
}

/** In their own scripts, East Asian addresses go from the largest unit to the smallest. */
function formatOf({ orderBillCountry, orderBillAddress, orderBillCity }: BillingAddress): Format {
  const isEastern = easternScript.test(orderBillAddress + orderBillCity)
  return isEastern ? largestFirst : (formats.get(orderBillCountry) ?? zipFirst)
}

/** The state, unless it has the same name as the city: Berlin, Berlin; Hong Kong, Hong Kong. */
function stateApart({ orderBillStateName: state, orderBillCity: city }: BillingAddress, countryName: string): string {
  return [city, countryName].some((name) => name.toLowerCase() === state.toLowerCase()) ? '' : state
}

/** An address as the form's initial values. */
export function editOf(address: BillingAddress): AddressEdit {
  const { orderBillCountry, orderBillState, orderBillCity, orderBillZip, orderBillAddress, isDefaultAddress } = address
  return { orderBillCountry, orderBillState, orderBillCity, orderBillZip, orderBillAddress, isDefaultAddress }
}

/** The list with another default. */
export function asDefault(list: readonly BillingAddress[], id: string): BillingAddress[] {
  return list.map((address) => ({ ...address, isDefaultAddress: address.id === id ? 1 : 0 }))
}
