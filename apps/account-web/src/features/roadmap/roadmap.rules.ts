import type { RoadmapStatus } from '@atrium/contract/roadmap.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import type { Tone } from '@atrium/ui/notice.tsx'
import type { RoadmapFilter } from './roadmap.search.ts'

/** The color of each state, always with its name. */
export const tones: Readonly<Record<RoadmapStatus, Tone>> = {
  planned: 'off',
  in_progress: 'info',
  in_beta: 'warning',
  released: 'good',
}

/**
 * The filter without the values that the server refused: a shared address may name a quarter or product that the roadmap no longer
 * has. Undefined for any other failure.
 */
export function acceptedFilter(filter: RoadmapFilter, problem: unknown): Partial<RoadmapFilter> | undefined {
  if (!(problem instanceof CallProblem) || problem.code !== 'invalid') return undefined
  const refused = problem.errors.map(({ path }) => path.replace(/^query\./, ''))
  const set = Object.entries(filter).filter(([, value]) => value !== undefined)
  const accepted = set.filter(([name]) => !refused.includes(name))
  return accepted.length < set.length ? Object.fromEntries(accepted) : undefined
}

/** The parts of a plan cycle's name: `2026-Q4` is the fourth quarter of 2026. */
export function quarterOf(planCycle: string) {
  const [year = '', quarter = ''] = planCycle.split('-Q')
  return { year, quarter }
}
