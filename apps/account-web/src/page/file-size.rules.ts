/** `12 kB`, `1.2 MB`: the size of a file, in decimal units. */
export function sizeText(locale: string, bytes: number): string {
  const [unit, value] =
    bytes < 1_000_000 ? (['kilobyte', bytes / 1000] as const) : (['megabyte', bytes / 1_000_000] as const)
  const maximumFractionDigits = unit === 'kilobyte' ? 0 : 1
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits }).format(
    Math.max(value, 1 / 10 ** maximumFractionDigits),
  )
}
