import type { FastifyInstance } from 'fastify'
import { authenticationRoutes } from './authentication/authentication.routes.ts'
import { browserRoutes } from './browser/browser.routes.ts'
import { cardsApi } from './cards.api.ts'
import { controlApi } from './control/control.api.ts'
import { controlRoutes } from './control/control.routes.ts'
import { startDeliveries } from './events/deliveries.ts'
import type { ApiDeps } from './wire/call.ts'

interface Deps extends Omit<ApiDeps, 'onEvents'> {
  /** The merchant's page, which may embed the bank's page. */
  merchantUrl: string
  /** The vendor's name, as customers know it. */
  brandName: string
}

/** The stand-in for the card provider: its API, the bank's page, and the pages that show its state and inject faults. */
export function cardsRoutes(app: FastifyInstance, deps: Deps): void {
  const deliveries = startDeliveries({ ...deps, logger: app.log })
  app.addHook('onClose', () => deliveries.stop())

  const all = { ...deps, onEvents: deliveries.wake }
  cardsApi(app, all)
  browserRoutes(app, all)
  authenticationRoutes(app, all)
  controlApi(app, all)
  controlRoutes(app, all)
}
