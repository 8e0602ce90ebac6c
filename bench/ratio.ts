import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const Load = z.object({ perSecond: z.number(), refused: z.number() })

/** Loads an address from a separate process. @throws Error when a request was refused */
export async function load(url: string, seconds: number, ...others: string[]) {
  const script = join(import.meta.dirname, 'load.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, String(seconds), ...others])
  const result = Load.parse(JSON.parse(stdout))
  if (result.refused > 0) throw new Error(`${url} refused ${result.refused} requests`)
  return result
}

export interface Ratio {
  ratio: number
  ours: number
  bare: number
}

/** A median of a dozen rounds varies by some points from run to run. */
const noise = 0.06

/**
 * Alternates two loads in short rounds, so that noise affects both.
 * @param floor a ratio that is near it, above or below, is measured in three times as many rounds
 * @returns the median of the rounds' ratios
 */
export async function ratioOf(
  { rounds, floor }: { rounds: number; floor: number },
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Ratio> {
  const measured: { ours: number; bare: number }[] = []
  const ratio = () => median(measured.map((pair) => pair.ours / pair.bare))
  const measure = async (count: number) => {
    for (let round = 0; round < count; round += 1) measured.push({ ours: await ours(), bare: await bare() })
  }
  // Only warms up.
  await ours()
  await bare()
  await measure(rounds)
  if (Math.abs(ratio() - floor) < noise) await measure(2 * rounds)
  return {
    ratio: ratio(),
    ours: Math.round(median(measured.map((pair) => pair.ours))),
    bare: Math.round(median(measured.map((pair) => pair.bare))),
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
