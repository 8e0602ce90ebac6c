import { join } from 'node:path'
import { newApp } from '@atrium/server-kit/app.ts'
import { type Health, measureRequests, serveHealth } from '@atrium/server-kit/health.ts'
import type { SendMail } from '@atrium/server-kit/mail.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { mailJobs } from './features/mail/mail.jobs.ts'
import { pagesRoutes } from './features/pages/pages.routes.ts'
import { newPages } from './features/pages/pages.ts'
import { passwordJobs } from './features/password/password.jobs.ts'
import { passwordRoutes } from './features/password/password.routes.ts'
import { popupRoutes } from './features/popup/popup.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { signOutJobs } from './features/sign-out/sign-out.jobs.ts'
import { signOutRoutes } from './features/sign-out/sign-out.routes.ts'
import { signUpJobs } from './features/sign-up/sign-up.jobs.ts'
import { signUpRoutes } from './features/sign-up/sign-up.routes.ts'
import { loginRoutes } from './features/tickets/login.routes.ts'
import { ticketJobs } from './features/tickets/tickets.jobs.ts'
import { validationRoutes } from './features/tickets/validation.routes.ts'

interface AppOptions {
  deps: Deps
  logger: FastifyBaseLogger
  trustedProxies: readonly string[]
  /** From one address. */
  requestsPerMinute: number
  /** The built pages: a folder with `index.html` and `assets/`. */
  web: { template: string; folder: string | undefined }
}

export interface SsoApp {
  app: FastifyInstance
  health: Health
  metrics: ReturnType<typeof measureRequests>
}

/** The single sign-on host, assembled: pure of ports and environment. */
export async function createApp({ deps, logger, web, ...limits }: AppOptions): Promise<SsoApp> {
  const app = await newApp({ logger, publicUrl: deps.settings.publicUrl, ...limits })
  const metrics = measureRequests(app)
  const pages = newPages(web.template, deps.settings)

  if (web.folder) {
    await app.register(fastifyStatic, {
      root: join(web.folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    })
  }
  loginRoutes(app, deps, pages)
  validationRoutes(app, deps)
  signInRoutes(app, deps)
  signOutRoutes(app, deps, pages)
  signUpRoutes(app, deps)
  passwordRoutes(app, deps)
  popupRoutes(app, deps)
  pagesRoutes(app, deps, pages)

  return { app, metrics, health: serveHealth(app, deps.db) }
}

/** Takes up the work that requests leave on the queue. */
export async function startWork(deps: Deps, sendMail: SendMail): Promise<void> {
  await mailJobs(deps, sendMail)
  await signUpJobs(deps)
  await passwordJobs(deps)
  await ticketJobs(deps)
  await signOutJobs(deps)
}
