import * as contract from '@atrium/contract/auto-renewal.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { type CountDevices, endingOf, turnOff, turnOn } from './auto-renewal.service.ts'

interface FromAbove {
  countDevices: CountDevices
}

export function autoRenewalRoutes(app: FastifyInstance, deps: Deps, { countDevices }: FromAbove) {
  serve(app, contract.checkCancelSr, ({ body: { sid } }, member) => endingOf(deps, member, sid, countDevices))

  serve(app, contract.subscriptionCancel, ({ body }, member) => turnOff(deps, member, body))

  serve(app, contract.subscriptionRenew, ({ body }, member) => turnOn(deps, member, body))
}
