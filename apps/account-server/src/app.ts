import { type AppOptions, newApp } from '@atrium/server-kit/app.ts'
import { serveHealth } from '@atrium/server-kit/health.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { SendMail } from '@atrium/server-kit/mail.ts'
import { type Metrics, measurePool, measureRequests } from '@atrium/server-kit/metrics.ts'
import { scheduleRetention } from '@atrium/server-kit/retention.ts'
import type { FastifyInstance } from 'fastify'
import { webFolder } from './config.ts'
import type { Deps } from './deps.ts'
import { activationRoutes } from './features/activation/activation.routes.ts'
import { addressesRoutes } from './features/addresses/addresses.routes.ts'
import { addressSyncQueue } from './features/addresses/addresses.writes.ts'
import { archivesRoutes } from './features/archives/archives.routes.ts'
import { addCard, cancelSetup, syncSetupIntent } from './features/cards/card-additions.operations.ts'
import { removeCard, setDefaultCard, updateCard } from './features/cards/card-changes.operations.ts'
import { cardsRoutes } from './features/cards/cards.routes.ts'
import { cloudRoutes } from './features/cloud/cloud.routes.ts'
import { devicesRoutes } from './features/devices/devices.routes.ts'
import { activeDevicesBySubscription, activeDevicesOfSeat } from './features/devices/email-devices.queries.ts'
import { dictionariesRoutes } from './features/dictionaries/dictionaries.routes.ts'
import { eventsJobs } from './features/events/events.jobs.ts'
import { eventsQueue } from './features/events/events.writes.ts'
import { licensesJobs } from './features/licenses/licenses.jobs.ts'
import { licensesRoutes } from './features/licenses/licenses.routes.ts'
import { licensesNaming } from './features/licenses/named-licenses.queries.ts'
import { mailJobs } from './features/mail/mail.jobs.ts'
import { mailQueue } from './features/mail/mail.writes.ts'
import { orderArchiveQueue } from './features/orders/order-archive.service.ts'
import { invoicesQueue, ordersJobs } from './features/orders/orders.jobs.ts'
import { ordersRoutes } from './features/orders/orders.routes.ts'
import { paidOrdersQueue } from './features/orders/receipts.writes.ts'
import { createCustomer } from './features/payments/customers/create-customer.ts'
import { measureOperations } from './features/payments/operations/operations.metrics.ts'
import { type Handlers, paymentsJobs } from './features/payments/payments.jobs.ts'
import { measureUnmatched } from './features/payments/unmatched/unmatched.metrics.ts'
import { webhooksRoutes } from './features/payments/webhooks/webhooks.routes.ts'
import { webhooksQueue } from './features/payments/webhooks/webhooks.writes.ts'
import { dataExportJobs } from './features/personal-data/data-export.jobs.ts'
import { dataExportRoutes } from './features/personal-data/data-export.routes.ts'
import { dataExportQueue } from './features/personal-data/data-export.service.ts'
import { deleteCustomer } from './features/personal-data/delete-customer.ts'
import { productsRoutes } from './features/products/products.routes.ts'
import { profileRoutes } from './features/profile/profile.routes.ts'
import { quotesRoutes } from './features/quotes/quotes.routes.ts'
import { roadmapRoutes } from './features/roadmap/roadmap.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { securityRoutes } from './features/security/security.routes.ts'
import { identifier } from './features/session/identify.ts'
import { problemPage } from './features/session/problem-page.ts'
import { purchasesQueue } from './features/session/purchases.writes.ts'
import { sessionRoutes } from './features/session/session.routes.ts'
import { signOnRoutes } from './features/session/sign-on.routes.ts'
import { turnOffRenewal, turnOnRenewal } from './features/subscriptions/auto-renewal/auto-renewal.operations.ts'
import { autoRenewalRoutes } from './features/subscriptions/auto-renewal/auto-renewal.routes.ts'
import { cancelAtPaypalJobs } from './features/subscriptions/auto-renewal/cancel-at-paypal.jobs.ts'
import { cancelAtPaypal } from './features/subscriptions/auto-renewal/cancel-at-paypal.operations.ts'
import { bankQuestionsQueue } from './features/subscriptions/bank-questions.ts'
import { envelopeSharingRoutes } from './features/subscriptions/envelope-sharing/envelope-sharing.routes.ts'
import { continueMoved } from './features/subscriptions/moving/continue-moved.operations.ts'
import { endMoved } from './features/subscriptions/moving/moving.operations.ts'
import { payOverdue } from './features/subscriptions/overdue/overdue.operations.ts'
import { overdueRoutes } from './features/subscriptions/overdue/overdue.routes.ts'
import { endedSeatsQueue, formerOwnersQueue } from './features/subscriptions/ownership/end-team.writes.ts'
import { offeredSubscriptionsRoutes } from './features/subscriptions/ownership/offered-subscriptions.routes.ts'
import { changePayingCard } from './features/subscriptions/paying-card.operations.ts'
import { payingCardsRoutes } from './features/subscriptions/paying-cards.routes.ts'
import {
  syncOrder,
  syncOrderedPayment,
  syncOrderedRefund,
} from './features/subscriptions/paypal-change/ordered-payments.sync.ts'
import { changeByOrder } from './features/subscriptions/paypal-change/paypal-change.operations.ts'
import { paypalEndsJobs } from './features/subscriptions/paypal-ends.jobs.ts'
import {
  syncPaypalRefund,
  syncPaypalSubscription,
  syncSale,
} from './features/subscriptions/paypal-subscriptions.sync.ts'
import { giveUpChange } from './features/subscriptions/plan-change/give-up-change.operations.ts'
import { changePlan } from './features/subscriptions/plan-change/plan-change.operations.ts'
import { planChangeRoutes } from './features/subscriptions/plan-change/plan-change.routes.ts'
import { refundDifference } from './features/subscriptions/plan-change/refund-difference.operations.ts'
import { subscriptionCreatedQueue } from './features/subscriptions/projection.writes.ts'
import { purchasesJobs, syncCustomer } from './features/subscriptions/purchases.sync.ts'
import { renewTerm } from './features/subscriptions/renewal/renewal.operations.ts'
import { syncCardInvoice, syncCardRefund } from './features/subscriptions/renewal/renewal.sync.ts'
import { subscriptionsJobs } from './features/subscriptions/subscriptions.jobs.ts'
import { subscriptionsRoutes } from './features/subscriptions/subscriptions.routes.ts'
import { syncSchedule, syncSubscription } from './features/subscriptions/subscriptions.sync.ts'
import { supportIdentifier } from './features/support-sessions/identify-support.ts'
import { supportSessionsJobs } from './features/support-sessions/support-sessions.jobs.ts'
import { supportSessionsRoutes } from './features/support-sessions/support-sessions.routes.ts'
import { supportEndsQueue } from './features/support-sessions/support-sessions.writes.ts'
import { teamJobs } from './features/team/team.jobs.ts'
import { teamRoutes } from './features/team/team.routes.ts'
import { ownerChangedQueue, transfersJobs } from './features/transfers/owner-changed.jobs.ts'
import { transfersRoutes } from './features/transfers/transfers.routes.ts'
import { openApiRoutes } from './openapi.ts'
import { assetRoutes } from './page/assets.routes.ts'
import { retention } from './retention.ts'

type Options = Pick<AppOptions, 'maxEventLoopDelay'> & { metrics?: Metrics }

/** Assembles the server without ports and environment, so that tests can call `app.inject()`. */
export async function createApp(deps: Deps, { metrics, ...limits }: Options = {}): Promise<FastifyInstance> {
  const { config, db, logger } = deps
  const app = await newApp({
    logger,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    problemPage: problemPage(deps),
    ...limits,
  })
  if (metrics) {
    measureRequests(app, metrics)
    measurePool(db.$client, metrics)
    measureOperations(metrics, deps, payments.definitions)
    measureUnmatched(metrics, deps)
  }
  serveHealth(app, db)
  app.decorate('identify', identifier(deps))
  app.decorate('identifySupport', supportIdentifier(deps))
  app.decorate('limitCalls', (...call: Parameters<Deps['limitCalls']>) => deps.limitCalls(...call))

  openApiRoutes(app)
  await assetRoutes(app, { folder: webFolder, devUrl: config.WEB_DEV_URL })

  await signOnRoutes(app, deps)
  sessionRoutes(app, deps)
  await supportSessionsRoutes(app, deps)
  profileRoutes(app, deps)
  securityRoutes(app, deps)
  dictionariesRoutes(app, deps)
  addressesRoutes(app, deps)
  webhooksRoutes(app, deps)
  if (config.CARD_PROVIDER !== 'none') cardsRoutes(app, deps)
  ordersRoutes(app, deps)
  quotesRoutes(app, deps)
  subscriptionsRoutes(app, deps)
  planChangeRoutes(app, deps)
  envelopeSharingRoutes(app, deps)
  overdueRoutes(app, deps)
  autoRenewalRoutes(app, deps, { countDevices: activeDevicesBySubscription })
  if (config.CARD_PROVIDER !== 'none') payingCardsRoutes(app, deps)
  offeredSubscriptionsRoutes(app, deps)
  teamRoutes(app, deps, { activeDevicesOfSeat, licensesNaming })
  licensesRoutes(app, deps)
  devicesRoutes(app, deps)
  activationRoutes(app, deps)
  cloudRoutes(app, deps)
  productsRoutes(app, deps)
  transfersRoutes(app, deps)
  roadmapRoutes(app, deps)
  searchRoutes(app, deps)
  archivesRoutes(app, deps)
  dataExportRoutes(app, deps)

  return app
}

/** A definition for each kind of operation, and a sync for each type of provider object; payments knows only their names. */
export const payments: Handlers = {
  definitions: {
    'customer.create': createCustomer,
    'customer.delete': deleteCustomer,
    'card.add': addCard,
    'card.cancel_setup': cancelSetup,
    'card.update': updateCard,
    'card.set_default': setDefaultCard,
    'card.remove': removeCard,
    'subscription.turn_off_renewal': turnOffRenewal,
    'subscription.turn_on_renewal': turnOnRenewal,
    'subscription.cancel_at_paypal': cancelAtPaypal,
    'subscription.change': changePlan,
    'subscription.change_by_order': changeByOrder,
    'subscription.give_up_change': giveUpChange,
    'subscription.refund_difference': refundDifference,
    'subscription.pay': payOverdue,
    'subscription.change_card': changePayingCard,
    'subscription.renew': renewTerm,
    'subscription.end_moved': endMoved,
    'subscription.continue_moved': continueMoved,
  },
  syncs: {
    card: {
      setup_intent: syncSetupIntent,
      customer: syncCustomer,
      subscription: syncSubscription,
      subscription_schedule: syncSchedule,
      invoice: syncCardInvoice,
      refund: syncCardRefund,
    },
    paypal: {
      subscription: syncPaypalSubscription,
      sale: syncSale,
      refund: syncPaypalRefund,
      'checkout-order': syncOrder,
      capture: syncOrderedPayment,
      capture_refund: syncOrderedRefund,
    },
  },
}

/** Jobs and schedules, in every copy that does not only serve requests (`ATRIUM_ROLE`). */
export async function startWork(jobs: Jobs, deps: Deps, sendMail: SendMail): Promise<void> {
  await scheduleRetention(jobs, retention(deps))
  await mailJobs(jobs, sendMail)
  await eventsJobs(jobs, deps)
  const { CARD_PROVIDER: cards, PAYPAL: paypal } = deps.config
  if (cards !== 'none' || paypal !== 'none') await paymentsJobs(jobs, deps, payments)
  if (cards !== 'none' || paypal !== 'none') await purchasesJobs(jobs, deps)
  await supportSessionsJobs(jobs, deps)
  await ordersJobs(jobs, deps)
  await subscriptionsJobs(jobs, deps)
  if (paypal !== 'none') {
    await cancelAtPaypalJobs(jobs, deps)
    await paypalEndsJobs(jobs, deps)
  }
  await teamJobs(jobs, deps)
  await transfersJobs(jobs, deps)
  await licensesJobs(jobs, deps)
  await dataExportJobs(jobs, deps)
  await jobs.endOtherSchedules()
}

/** Jobs that follow a step of a movable business clock before the next one. */
export const clockQueues = [
  webhooksQueue,
  purchasesQueue,
  subscriptionCreatedQueue,
  invoicesQueue,
  paidOrdersQueue,
  eventsQueue,
  mailQueue,
]

/** Queues to which requests send; they must exist before the first request. */
export const queues = [
  mailQueue,
  eventsQueue,
  ...[invoicesQueue, paidOrdersQueue, addressSyncQueue].map((name) => ({ name, oncePerSubject: true }) as const),
  ...[webhooksQueue, purchasesQueue, bankQuestionsQueue].map((name) => ({ name, oncePerSubject: true }) as const),
  subscriptionCreatedQueue,
  supportEndsQueue,
  orderArchiveQueue,
  dataExportQueue,
  ownerChangedQueue,
  ...([endedSeatsQueue, formerOwnersQueue] as const),
] as const
