import * as contract from '@atrium/contract/activation.ts'
import { newLimit } from '@atrium/server-kit/limits.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hashOf } from '../session/session.rules.ts'
import { releaseActivation, validation } from './activation.service.ts'
import { activateByEmail } from './email-activation.service.ts'
import { activateWithKey } from './key-activation.service.ts'

/** The API of the vendor's desktop product (`docs/activation.md`). */
export function activationRoutes(app: FastifyInstance, deps: Deps) {
  const limits = activationLimits(deps)

  serve(app, contract.activateDevice, async ({ body }, caller) => {
    if (body.method === 'email') {
      await limits.byNetwork.take(networkOf(caller.address))
      return activateByEmail(deps, caller, body)
    }
    // A key is a secret, so the limits table stores its hash.
    await Promise.all([limits.byNetwork.take(networkOf(caller.address)), limits.byKey.take(hashOf(body.sn))])
    return activateWithKey(deps, caller, body)
  })

  serve(app, contract.validateDevice, async ({ body }, caller) => {
    await limits.byNetwork.take(networkOf(caller.address))
    return validation(deps, body)
  })

  serve(app, contract.deactivateDevice, async ({ body }, caller) => {
    await limits.byNetwork.take(networkOf(caller.address))
    return releaseActivation({ ...deps, deactivations: limits.deactivations }, caller, body)
  })
}

/** High enough for an office behind one address, and too low for guessing keys. */
function activationLimits({ db, config }: Deps) {
  const limit = (name: string, points: number, seconds = 60) =>
    newLimit(db, { name, points, seconds, schema: 'account' })
  return {
    byNetwork: limit('activation-address', config.ACTIVATIONS_PER_MINUTE),
    byKey: limit('activation-key', config.ACTIVATIONS_PER_MINUTE_AND_KEY),
    deactivations: limit('device-deactivations', config.DEACTIVATIONS_PER_HOUR_AND_KEY, 3_600),
  }
}
