import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { FieldProblem } from '@atrium/contract/problem.ts'
import type { listRoadmap } from '@atrium/contract/roadmap.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { roadmapPage } from './roadmap.queries.ts'
import { quarterOf } from './roadmap.rules.ts'

type Asked = EndpointInput<typeof listRoadmap>['query']

/** A page of the roadmap (001 §2). @throws Problem `invalid` for a quarter or product type that the roadmap does not have */
export async function roadmap(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asked: Asked,
): Promise<EndpointAnswer<typeof listRoadmap>> {
  const current = quarterOf(clock())
  const { list, total, planCycles, productTypes } = await roadmapPage(db, { ...asked, current })

  const errors = [
    ...unknown('planCycle', asked.planCycle, [...planCycles, current]),
    ...unknown('productType', asked.productType, productTypes),
  ]
  if (errors.length > 0) throw new Problem('invalid', { errors })
  return { list, total, planCycle: planCycles, productType: productTypes, currentQuarter: current }
}

function unknown(field: string, value: string | undefined, known: readonly string[]): FieldProblem[] {
  if (value === undefined || known.includes(value)) return []
  return [{ path: `query.${field}`, code: 'invalid_value', message: 'the roadmap has no such value' }]
}
