import { readDictionaries } from '@atrium/contract/dictionaries.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { dictionaries } from './dictionaries.queries.ts'

export function dictionariesRoutes(app: FastifyInstance, { db }: Deps) {
  serve(app, readDictionaries, ({ query }) => dictionaries(db, { types: query.type, lang: query.lang }))
}
