import * as contract from '@atrium/contract/profile.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { countryList } from './countries.rules.ts'
import { profileOf } from './profile.rules.ts'
import { updateProfile } from './profile.service.ts'

export function profileRoutes(app: FastifyInstance, { db, wallClock }: Deps) {
  serve(app, contract.readProfile, async ({ query }, member) => {
    const row = await memberRow(db, member)
    if (!row) throw new Problem('not_found')
    return { member: profileOf(row, wallClock()), countryList: countryList(query.lang) }
  })

  serve(app, contract.updateProfile, ({ body }, member) => updateProfile(db, { member, edit: body, now: wallClock() }))
}
