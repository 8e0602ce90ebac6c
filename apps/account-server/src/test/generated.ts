/** How many cases a test generates; by hand more, as `GENERATED=2000`. */
export function generatedCases(usual: number): number {
  return Number(process.env.GENERATED ?? usual)
}
