import { allCountries } from 'country-region-data'

interface State {
  code: string
  name: string
}

const states = new Map<string, readonly State[]>(
  allCountries.map(([, country, regions]) => [
    country,
    // A region without a code of its own is named by its name.
    regions.map(([name, code]) => ({ code: code === '' ? name : code, name })),
  ]),
)

/** The states of a country (ISO 3166-1 alpha-2), in the order of the reference data; empty where it has none. */
export function statesOf(country: string): readonly State[] {
  return states.get(country) ?? []
}
