import { allCountries } from 'country-region-data'

interface State {
  code: string
  name: string
}

/** State names are English in every language. */
const compare = new Intl.Collator('en').compare

const states = new Map<string, readonly State[]>(
  allCountries.map(([, country, regions]) => [
    country,
    // Regions without a code, which the data spell `undefined`, use their names.
    regions
      .map(([name, code]) => ({ code: code === '' || code === 'undefined' ? name : code, name }))
      .sort((one, other) => compare(one.name, other.name)),
  ]),
)

/** The states of a country (ISO 3166-1 alpha-2), sorted by name; empty if it has none. */
export function statesOf(country: string): readonly State[] {
  return states.get(country) ?? []
}

/** Countries whose addresses are written with the code of the state. */
const writtenByCode: readonly string[] = ['US', 'CA', 'AU']

/** A state as people write it in an address: its code in some countries, else its name. */
export function postalState(country: string, state: string): string {
  return writtenByCode.includes(country) ? state : stateName(country, state)
}

/** The name of a state; empty if there is none. */
export function stateName(country: string, state: string): string {
  return statesOf(country).find(({ code }) => code === state)?.name ?? state
}
