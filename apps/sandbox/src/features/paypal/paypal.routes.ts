import type { FastifyInstance } from 'fastify'
import type { DueSource } from '../clock/due-source.ts'
import { accessRoutes } from './access/access.routes.ts'
import { paypalApi } from './api/paypal.api.ts'
import { approvalRoutes } from './approval/approval.routes.ts'
import { browserRoutes } from './browser/browser.routes.ts'
import { controlApi } from './control/control.api.ts'
import { controlRoutes } from './control/control.routes.ts'
import { certificatesRoutes } from './events/certificates.routes.ts'
import { startPaypalDeliveries } from './events/deliveries.ts'
import { paypalDueSource } from './subscriptions/due.ts'
import type { PaypalDeps } from './wire/call.ts'

interface Deps extends Omit<PaypalDeps, 'onEvents'> {
  /** The merchant's page, which may embed the buttons. */
  merchantUrl: string
}

/**
 * The stand-in for the PayPal-type provider: its API, the buyer's pages, its browser SDK, and its control pages.
 * @returns what it does of its own accord as the business clock moves
 */
export function paypalRoutes(app: FastifyInstance, deps: Deps): DueSource {
  const deliveries = startPaypalDeliveries({ ...deps, logger: app.log })
  const all = { ...deps, onEvents: deliveries.wake }
  app.addHook('onClose', () => deliveries.stop())

  accessRoutes(app, all)
  paypalApi(app, all)
  certificatesRoutes(app, all)
  approvalRoutes(app, all)
  browserRoutes(app, all)
  controlApi(app, all)
  controlRoutes(app, all)
  return paypalDueSource(all, deliveries)
}
