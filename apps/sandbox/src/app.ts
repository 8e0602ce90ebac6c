import { newApp } from '@atrium/server-kit/app.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { serveHealth } from '@atrium/server-kit/health.ts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { SandboxConfig } from './config.ts'
import { cardsRoutes } from './features/cards/cards.routes.ts'
import { businessNow } from './features/clock/clock.queries.ts'
import { clockRoutes } from './features/clock/clock.routes.ts'
import { cloudRoutes } from './features/cloud/cloud.routes.ts'
import { elsewhereRoutes } from './features/elsewhere/elsewhere.routes.ts'
import { identityRoutes } from './features/identity/identity.routes.ts'
import { mailRoutes } from './features/mail/mail.routes.ts'
import { paypalRoutes } from './features/paypal/paypal.routes.ts'
import { shopRoutes } from './features/shop/shop.routes.ts'
import { pageRoutes } from './page/page.routes.ts'
import { problemPage } from './page/problem-page.ts'

interface Deps {
  config: Pick<
    SandboxConfig,
    'SANDBOX_URL' | 'PUBLIC_URL' | 'SSO_URL' | 'BRAND_NAME' | 'SANDBOX_MOVES_ACCOUNT_CLOCK' | 'SHOP_SIGNING_SECRET'
  >
  db: Db
  clock: () => Date
  logger: FastifyBaseLogger
}

/** The sandbox, without listening: stand-ins for every external company. */
export async function sandboxApp({ config, db, clock, logger }: Deps): Promise<FastifyInstance> {
  const app = await newApp({
    logger,
    publicUrl: config.SANDBOX_URL,
    trustedProxies: [],
    problemPage: problemPage(config),
    // It fails only as it was told to: a busy machine is no fault of a provider.
    requestsPerMinute: 1_000_000,
    maxEventLoopDelay: 0,
  })
  serveHealth(app, db)

  await pageRoutes(app)
  mailRoutes(app, db)
  const cards = cardsRoutes(app, {
    db,
    clock,
    publicUrl: config.SANDBOX_URL,
    merchantUrl: config.PUBLIC_URL,
    brandName: config.BRAND_NAME,
  })
  const paypal = paypalRoutes(app, { db, clock, publicUrl: config.SANDBOX_URL, merchantUrl: config.PUBLIC_URL })
  clockRoutes(app, {
    db,
    clock,
    sources: [cards, paypal],
    accountUrl: config.SANDBOX_MOVES_ACCOUNT_CLOCK ? config.PUBLIC_URL : null,
  })
  shopRoutes(app, config, () => businessNow(db, clock()))
  cloudRoutes(app, config)
  elsewhereRoutes(app, config)
  await identityRoutes(app, config)

  return app
}
