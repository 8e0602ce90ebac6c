import { stringify } from 'csv-stringify/sync'

/** A column of a table, and its heading. */
interface Column {
  key: string
  header: string
}

/**
 * Rows as CSV: UTF-8 with BOM, separated by commas, with nothing that a spreadsheet would evaluate as a formula: neither at the beginning
 * of a field, nor behind a semicolon or tab, at which a spreadsheet of many languages begins another cell (OWASP, CSV Injection).
 */
export function spreadsheet(rows: readonly object[], columns: readonly Column[]): string {
  return stringify([...rows], {
    bom: true,
    header: true,
    columns: [...columns],
    escape_formulas: true,
    cast: { string: (value) => (isNegativeNumber(value) ? { value, escape_formulas: false } : withoutFormulas(value)) },
    record_delimiter: 'windows',
  })
}

/** Credits stay numbers; nothing is evaluated. */
function isNegativeNumber(value: string): boolean {
  return /^-\d+(\.\d+)?$/.test(value)
}

function withoutFormulas(value: string): string {
  return value.replaceAll(/([;\t][\s"]*)(?=[=+@-])/g, "$1'")
}
