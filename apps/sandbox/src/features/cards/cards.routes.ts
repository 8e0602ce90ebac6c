import type { FastifyInstance } from 'fastify'
import type { DueSource } from '../clock/due-source.ts'
import { cardsApi } from './api/cards.api.ts'
import { authenticationRoutes } from './authentication/authentication.routes.ts'
import { browserRoutes } from './browser/browser.routes.ts'
import { cardsDueSource } from './collection/due-source.ts'
import { controlApi } from './control/control.api.ts'
import { controlRoutes } from './control/control.routes.ts'
import { startCardDeliveries } from './events/deliveries.ts'
import { hostedRoutes } from './hosted/hosted.routes.ts'
import { notePayment } from './invoicing/payment-outcome.ts'
import type { ApiDeps } from './requests/call.ts'
import { noteSetup } from './subscriptions/pending-setup.ts'

interface Deps extends Omit<ApiDeps, 'onEvents' | 'onPayment' | 'onSetup'> {
  /** The merchant's page, which may embed the bank's page. */
  merchantUrl: string
  /** The vendor's name, as customers know it. */
  brandName: string
}

/**
 * The stand-in for the card provider: its API, the bank's page, and the pages that show its state and inject faults.
 * @returns what it does of its own accord as the business clock moves
 */
export function cardsRoutes(app: FastifyInstance, deps: Deps): DueSource {
  const deliveries = startCardDeliveries({ ...deps, logger: app.log })
  app.addHook('onClose', () => deliveries.stop())

  const all = { ...deps, onEvents: deliveries.wake, onPayment: notePayment, onSetup: noteSetup }
  cardsApi(app, all)
  browserRoutes(app, all)
  authenticationRoutes(app, all)
  hostedRoutes(app, all)
  controlApi(app, all)
  controlRoutes(app, all)
  return cardsDueSource(all, deliveries)
}
