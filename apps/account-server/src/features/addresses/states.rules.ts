import { allCountries } from 'country-region-data'

interface State {
  code: string
  name: string
}

/** The names are English in every language. */
const compare = new Intl.Collator('en').compare

const states = new Map<string, readonly State[]>(
  allCountries.map(([, country, regions]) => [
    country,
    // A region without a code of its own, which the data spell `undefined`, is named by its name.
    regions
      .map(([name, code]) => ({ code: code === '' || code === 'undefined' ? name : code, name }))
      .sort((one, other) => compare(one.name, other.name)),
  ]),
)

/** The states of a country (ISO 3166-1 alpha-2), sorted by name; empty where it has none. */
export function statesOf(country: string): readonly State[] {
  return states.get(country) ?? []
}

/** What a state is called, by its code; empty where there is none. */
export function stateName(country: string, state: string): string {
  return statesOf(country).find(({ code }) => code === state)?.name ?? state
}
