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

/** Alternates two loads in short rounds, so that noise affects both. @returns the median of the rounds' ratios */
export async function ratioOf(
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Ratio> {
  const measured: { ours: number; bare: number }[] = []
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { ours: await ours(), bare: await bare() }
    if (round > 0) measured.push(pair)
  }
  return {
    ratio: median(measured.map((pair) => pair.ours / pair.bare)),
    ours: Math.round(median(measured.map((pair) => pair.ours))),
    bare: Math.round(median(measured.map((pair) => pair.bare))),
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
