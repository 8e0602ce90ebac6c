import * as contract from '@atrium/contract/roadmap.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { roadmap } from './roadmap.service.ts'

export function roadmapRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, contract.listRoadmap, ({ query }) => roadmap(deps, query))
}
