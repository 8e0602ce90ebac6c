import { join } from 'node:path'
import { newApp } from '@atrium/server-kit/app.ts'
import { serveHealth } from '@atrium/server-kit/health.ts'
import type { SendMail } from '@atrium/server-kit/mail.ts'
import { type Metrics, measurePool, measureRequests } from '@atrium/server-kit/metrics.ts'
import { scheduleRetention } from '@atrium/server-kit/retention.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { accountDataRoutes } from './features/account-data/account-data.routes.ts'
import { activeSessionsRoutes } from './features/active-sessions/active-sessions.routes.ts'
import { cloudTicketsRoutes } from './features/cloud-tickets/cloud-tickets.routes.ts'
import { mailJobs } from './features/mail/mail.jobs.ts'
import { pagesRoutes } from './features/pages/pages.routes.ts'
import { passwordJobs } from './features/password/password.jobs.ts'
import { passwordRoutes } from './features/password/password.routes.ts'
import { popupRoutes } from './features/password/popup/popup.routes.ts'
import { popupsRoutes } from './features/popups/popups.routes.ts'
import { linkedAccountsRoutes } from './features/providers/linked-accounts.routes.ts'
import { providersRoutes } from './features/providers/providers.routes.ts'
import { loginRoutes } from './features/sign-in/login.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { signOutJobs } from './features/sign-out/sign-out.jobs.ts'
import { signOutRoutes } from './features/sign-out/sign-out.routes.ts'
import { signUpJobs } from './features/sign-up/sign-up.jobs.ts'
import { signUpRoutes } from './features/sign-up/sign-up.routes.ts'
import { validationRoutes } from './features/tickets/validation.routes.ts'
import { newPages, problemPageOf } from './page/pages.ts'
import { retention } from './retention.ts'

interface AppOptions {
  deps: Deps
  logger: FastifyBaseLogger
  trustedProxies: readonly string[]
  /** Per IP address. */
  requestsPerMinute: number
  /** The built pages: a folder with `index.html` and `assets/`. */
  web: { template: string; folder: string | undefined }
  metrics?: Metrics
  maxEventLoopDelay?: number
}

/** The single sign-on host, without listening or reading the environment. */
export async function createApp({ deps, logger, web, metrics, ...limits }: AppOptions): Promise<FastifyInstance> {
  const pages = newPages(web.template, deps.config)
  const app = await newApp({
    logger,
    publicUrl: deps.config.SSO_URL,
    problemPage: (request, reply, { status }) => pages.show(request, reply, { name: problemPageOf(status) }, status),
    ...limits,
  })
  if (metrics) {
    measureRequests(app, metrics)
    measurePool(deps.db.$client, metrics)
  }

  if (web.folder) {
    await app.register(fastifyStatic, {
      root: join(web.folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    })
  }
  app.addHook('onClose', () => deps.refusals.settled())
  loginRoutes(app, deps, pages)
  validationRoutes(app, deps)
  cloudTicketsRoutes(app, deps)
  activeSessionsRoutes(app, deps)
  accountDataRoutes(app, deps)
  signInRoutes(app, deps)
  signOutRoutes(app, deps, pages)
  signUpRoutes(app, deps)
  passwordRoutes(app, deps)
  popupsRoutes(app, deps)
  popupRoutes(app, deps)
  providersRoutes(app, deps, pages)
  linkedAccountsRoutes(app, deps)
  pagesRoutes(app, deps, pages)

  serveHealth(app, deps.db)

  return app
}

/** Starts the workers of the queue. */
export async function startWork(deps: Deps, sendMail: SendMail): Promise<void> {
  await mailJobs(deps, sendMail)
  await signUpJobs(deps)
  await passwordJobs(deps)
  await scheduleRetention(deps.jobs, retention(deps))
  await signOutJobs(deps)
  await deps.jobs.endOtherSchedules()
}
