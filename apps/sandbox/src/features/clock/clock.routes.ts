import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ownForms, refuseOtherPages } from '../../page/own-page.ts'
import { sendPage } from '../../page/page.ts'
import { setAccountClock } from './account-clock.ts'
import { advanceClock, type ClockDeps, setClockBack, startTicking, upcoming } from './advance.ts'
import { clockPage, stops } from './clock.page.ts'
import { businessNow } from './clock.queries.ts'
import { momentAfter } from './clock.rules.ts'

interface Deps extends ClockDeps {
  /** Where account-server is told of every step; `null` if its clock is not moved. */
  accountUrl: string | null
}

/** A hundred years: more than any test needs, and still a valid date. */
const longestMove = 100 * 366 * 24 * 3600

const Coming = z.object({ at: z.iso.datetime(), title: z.string(), source: z.string() })

const state = {
  method: 'GET',
  path: '/clock/control/',
  access: 'device',
  summary: 'What the business clock shows, and what happens next',
  reply: z.object({ now: z.iso.datetime(), next: z.array(Coming) }),
} as const

const advance = {
  method: 'POST',
  path: '/clock/control/advance/',
  access: 'device',
  summary: 'Moves the business clock; everything that is due until then happens in order',
  body: z
    .object({ to: z.iso.datetime({ offset: true }), seconds: z.int().min(0).max(longestMove) })
    .partial()
    .refine(({ to, seconds }) => (to === undefined) !== (seconds === undefined), { error: 'one_of_to_and_seconds' }),
  reply: z.object({ from: z.iso.datetime(), now: z.iso.datetime(), steps: z.array(Coming.omit({ source: true })) }),
  problems: { clock_is_moving: 409, clock_only_forward: 422, account_clock_failed: 502 },
} as const

const setBack = {
  method: 'POST',
  path: '/clock/control/set-back/',
  access: 'device',
  summary: 'Sets the business clock back, while nothing is to come: what is made next has a past',
  body: z.object({ to: z.iso.datetime({ offset: true }) }),
  reply: z.object({ now: z.iso.datetime() }),
  problems: { clock_is_moving: 409, clock_cannot_go_back: 409 },
} as const

/** The business clock of all stand-ins: its page, and its control for tests and commands. */
export function clockRoutes(app: FastifyInstance, deps: Deps): void {
  // A move of months may take minutes. If nothing is heard on its connection for a minute, it is closed otherwise, and the browser sends
  // the request again, which is refused since the clock is being moved.
  app.server.timeout = 0
  const ticking = startTicking(deps, (error) => app.log.warn({ err: error }, 'the clock could not be caught up'))
  app.addHook('onClose', () => ticking.stop())

  const now = () => businessNow(deps.db, deps.clock())
  const move = (to: (from: Date) => Date) =>
    advanceClock(deps, to, async (step) => {
      // Its clock is never behind the real one.
      if (deps.accountUrl !== null && step.now >= deps.clock()) await setAccountClock(deps.accountUrl, step.now)
    })

  app.register(async (control) => {
    control.addHook('onRequest', async (request) => refuseOtherPages(app, request))
    serve(control, state, async () => ({
      now: (await now()).toISOString(),
      next: (await upcoming(deps, 50)).map(({ at, title, source }) => ({ at: at.toISOString(), title, source })),
    }))
    serve(control, setBack, async ({ body: { to } }) => {
      await setClockBack(deps, new Date(to))
      return { now: (await now()).toISOString() }
    })
    serve(control, advance, async ({ body: { to, seconds } }) => {
      const moved = await move((from) =>
        to === undefined ? new Date(from.getTime() + (seconds ?? 0) * 1000) : new Date(to),
      )
      return {
        from: moved.from.toISOString(),
        now: moved.now.toISOString(),
        steps: moved.done.map(({ at, title }) => ({ at: at.toISOString(), title })),
      }
    })
  })

  pages(app, { deps, now, move })
}

interface Pages {
  deps: Deps
  now(): Promise<Date>
  move(to: (from: Date) => Date): Promise<unknown>
}

function pages(app: FastifyInstance, { deps, now, move }: Pages): void {
  const show = async () => clockPage({ now: await now(), next: await upcoming(deps, 20) })

  app.get('/clock', async (_request, reply) => sendPage(reply, await show()))

  ownForms(app, (forms) => {
    forms.post('/clock/advance', async (request, reply) => {
      const wanted = z.object({ by: z.enum(stops) }).safeParse(request.body)
      if (!wanted.success) throw new Problem('not_found')
      const { by } = wanted.data
      const [next] = await upcoming(deps, 1)
      const nextAt = (from: Date) => (next && next.at > from ? next.at : from)
      try {
        await move((from) => (by === 'next' ? nextAt(from) : momentAfter(from, by)))
      } catch (error) {
        // The sentence says where the clock stopped, and why.
        if (!(error instanceof Problem)) throw error
        const page = clockPage({ now: await now(), next: await upcoming(deps, 20), trouble: error.message })
        return sendPage(reply.code(409), page)
      }
      return reply.redirect('/clock', 303)
    })
  })
}
