import { z } from 'zod'
import { EmailAddress, type EmailFault } from '../email.ts'
import { MinorUnits } from '../money.ts'
import { plainLine } from '../text.ts'

/**
 * Building blocks of records. The tables of `docs/imports.md` are generated from these schemas: `shape` names a field's format,
 * `shapeMeaning` explains it once, and descriptions say what a field means. `wanted` is what a refusal
 * asks for if a value has another form: "must be …".
 */

/** On one line, without marks that are not seen. */
export const Text = (max: number) => z.string().overwrite(plainLine).max(max)

const emailReasons: Readonly<Record<EmailFault, string>> = {
  email_required: 'must be an e-mail address',
  email_hidden_mark: 'has a character that is not seen',
  email_letters: 'has letters before the @ that not every mail server knows',
  email_invalid: 'must be an e-mail address',
}

export const Email = EmailAddress((fault) => emailReasons[fault]).meta({
  shape: 'e-mail',
  shapeMeaning:
    'An e-mail address of at most 254 characters; upper and lower case are the same, and so are both forms of a domain (`bücher.example`, `xn--bcher-kva.example`)',
  wanted: 'an e-mail address',
})

/** The plausible years of a record. */
const firstYear = 1980
const lastYear = 2199

const implausible = `is not plausible: the year must be ${firstYear} to ${lastYear}`

/** Whether only the date is invalid, and the rest is a time. */
function hasWrongDate(input: unknown): boolean {
  if (typeof input !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(input)) return false
  return z.iso.datetime({ offset: true }).safeParse(`2000-01-01${input.slice(10)}`).success
}

export const Instant = z.iso
  .datetime({
    offset: true,
    error: ({ input }) => (hasWrongDate(input) ? 'is not a date that exists' : undefined),
  })
  .meta({ wanted: 'a time with its zone, such as 2026-05-01T10:00:00Z' })
  .refine((text) => isPlausibleYear(Number(text.slice(0, 4))), implausible)
  // One text per instant, since it may be part of a natural key.
  .transform((text) => new Date(text).toISOString())
  .meta({
    shape: 'time',
    shapeMeaning: `ISO 8601 with its zone, such as \`2026-05-01T10:00:00Z\` or \`2026-05-01T12:00:00+02:00\`; years ${firstYear} to ${lastYear}`,
  })

const earliestSecond = Date.UTC(firstYear, 0) / 1000
const latestSecond = Date.UTC(lastYear + 1, 0) / 1000

const epochSeconds = 'epoch seconds, such as 1767225600'

/** Epoch seconds, or milliseconds (the specification's "trailing 000"); 0 for none. */
export const EpochTime = z
  .int()
  .meta({ wanted: epochSeconds })
  .min(0, `must be ${epochSeconds}`)
  .transform((value) => (value > 100_000_000_000 ? Math.trunc(value / 1000) : value))
  .refine((seconds) => seconds === 0 || seconds >= earliestSecond, {
    error: 'is in the 1970s: seconds since 1970 are needed, and not the digits of a date (20270101 is 1798761600)',
  })
  .refine((seconds) => seconds < latestSecond, implausible)
  .meta({
    shape: 'epoch',
    shapeMeaning: `Seconds since 1970-01-01T00:00:00Z, or milliseconds; years ${firstYear} to ${lastYear}; \`0\`: none`,
  })

function isPlausibleYear(year: number): boolean {
  return year >= firstYear && year <= lastYear
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

export const Currency = z
  .string()
  .refine((code) => currencies.has(code), 'is not a currency code of ISO 4217')
  .meta({
    shape: 'currency',
    shapeMeaning: 'A code of ISO 4217 in capitals: `USD`',
  })

export const Amount = MinorUnits.meta({
  shape: 'amount',
  shapeMeaning: 'A whole number in minor units of the currency: cents for USD, yen for JPY, fils for KWD',
  wanted: 'a whole number in minor units of the currency, such as 1999 for 19.99 USD',
})

/** Only the form: importers check it against the list of countries. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be two capitals, such as US')
  .meta({ shape: 'country', shapeMeaning: 'A code of ISO 3166-1 alpha-2 in capitals: `US`' })

/** Used in addresses and file names. */
export const PublicId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, underscores and dashes')
  .meta({ shape: 'id', shapeMeaning: '1 to 64 letters, digits, dots, underscores and dashes' })

export const MacAddress = z
  .string()
  .regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/, 'must be like 3C:06:30:12:9A:04')
  .meta({ shape: 'MAC address', shapeMeaning: 'Capitals and colons: `3C:06:30:12:9A:04`' })

export const AppVersion = z
  .string()
  .regex(/^\d{1,5}(\.\d{1,10}){0,3}$/, 'must be like 12.1.0')
  .meta({ shape: 'version', shapeMeaning: 'Up to four numbers: `12.1.0`' })

/** For `superRefine`: an end is not before its start. */
export function inOrder<Field extends string>(
  record: Readonly<Partial<Record<Field, string | undefined>>>,
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
  [start, end]: readonly [Field, Field],
): void {
  const [from, to] = [record[start], record[end]]
  if (from === undefined || to === undefined || Date.parse(to) >= Date.parse(from)) return
  context.addIssue({ code: 'custom', path: [end], message: `is before ${start}` })
}
