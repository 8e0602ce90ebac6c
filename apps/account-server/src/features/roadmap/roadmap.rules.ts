/** The calendar quarter of a moment in UTC, as plan cycles are written: `2026-Q4`. */
export function quarterOf(moment: Date): string {
  const quarter = 1 + Math.trunc(moment.getUTCMonth() / 3)
  return `${moment.getUTCFullYear()}-Q${quarter}`
}
