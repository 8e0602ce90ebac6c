import { newApp } from '@atrium/server-kit/app.ts'
import { type Health, measureRequests, serveHealth } from '@atrium/server-kit/health.ts'
import { webFolder } from './config.ts'
import type { Deps } from './deps.ts'
import { dictionariesRoutes } from './features/dictionaries/dictionaries.routes.ts'
import { ordersRoutes } from './features/orders/orders.routes.ts'
import { profileRoutes } from './features/profile/profile.routes.ts'
import { identifier } from './features/session/identify.ts'
import { notFoundPage } from './features/session/not-found-page.ts'
import { sessionRoutes } from './features/session/session.routes.ts'
import { signOnRoutes } from './features/session/sign-on.routes.ts'
import { supportAccessRoutes } from './features/support-access/support-access.routes.ts'
import { openApiRoutes } from './openapi.ts'
import { assetRoutes } from './page/assets.routes.ts'

/** Assembles the server: pure of ports and environment, so that tests call `app.inject()`. */
export async function createApp(deps: Deps) {
  const { config, db, logger } = deps
  const app = await newApp({
    logger,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    notFoundPage: notFoundPage(deps),
  })
  const metrics = measureRequests(app)
  const health: Health = serveHealth(app, db)
  app.decorate('identify', identifier(deps))

  openApiRoutes(app)
  await assetRoutes(app, { folder: webFolder, devUrl: config.WEB_DEV_URL })

  await signOnRoutes(app, deps)
  sessionRoutes(app, deps)
  profileRoutes(app, deps)
  supportAccessRoutes(app, deps)
  dictionariesRoutes(app, deps)
  ordersRoutes(app, deps)

  return { app, health, metrics }
}
