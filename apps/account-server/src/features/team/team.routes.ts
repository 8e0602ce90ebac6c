import * as invitations from '@atrium/contract/invitations.ts'
import * as contract from '@atrium/contract/team.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { addUsers } from './invitations/add-users.service.ts'
import { accept, readInvitation } from './invitations/invitations.service.ts'
import { resend } from './invitations/resend.service.ts'
import { subscriptionUsers } from './team.service.ts'
import { previewRemoval, type RemovalFacts, removeUser } from './users/removal.service.ts'
import { changeRole, switchLicense } from './users/users.service.ts'

export function teamRoutes(app: FastifyInstance, deps: Deps, facts: RemovalFacts) {
  serve(app, contract.listSubscriptionUsers, (input, member) => subscriptionUsers(deps, member, input))
  serve(app, contract.addSubscriptionUsers, (input, member, { idempotencyKey }) =>
    addUsers(deps, member, { ...input, idempotencyKey }),
  )
  serve(app, contract.resendInvitation, (input, member) => resend(deps, member, input))
  serve(app, contract.changeUserRole, (input, member) => changeRole(deps, member, input))
  serve(app, contract.switchUserLicense, (input, member) => switchLicense(deps, member, input))
  serve(app, contract.previewUserRemoval, (input, member) => previewRemoval(deps, member, input, facts))
  serve(app, contract.removeSubscriptionUser, (input, member) => removeUser(deps, member, input, facts))

  serve(app, invitations.readInvitation, ({ body: { token } }) => readInvitation(deps, token))
  serve(app, invitations.acceptInvitation, ({ body: { token } }, member) => accept(deps, member, token))
}
