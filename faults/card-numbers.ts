import type pg from 'pg'

/** 13 to 19 digits, ungrouped or in the usual groups: 4-4-4-4, 4-6-5. */
const groupedDigits = /(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5})(?![\w-])/g

/** Finds what looks like a card number and has a valid check digit (ISO/IEC 7812-1 annex B). */
export function cardNumbersIn(text: string): string[] {
  const candidates = text.match(groupedDigits) ?? []
  return candidates.filter((candidate) => {
    const digits = candidate.replaceAll(/\D/g, '')
    return hasIssuerPrefix(digits) && hasCheckDigit(digits)
  })
}

/** Card numbers begin like this; most other long numbers (timestamps in milliseconds, ids) do not. */
function hasIssuerPrefix(digits: string): boolean {
  return /^(4|5[1-5]|2[2-7]|3[47]|3[068]|35|6)/.test(digits)
}

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Every row of every table of account-server and of its jobs, as text. */
export async function databaseText(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema in ('account', 'account_jobs') and table_type = 'BASE TABLE'`,
  )
  const texts = await Promise.all(
    tables.map(async ({ schema, name }) => {
      const { rows } = await pool.query<{ line: string }>(`select t::text as line from "${schema}"."${name}" t`)
      return rows.map(({ line }) => line).join('\n')
    }),
  )
  return texts.join('\n')
}
