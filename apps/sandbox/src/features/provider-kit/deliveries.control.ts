import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const Delivered = z.object({
  eventId: z.string(),
  type: z.string(),
  attempts: z.int(),
  outcome: z.string(),
  isWaiting: z.boolean(),
})

interface Sent {
  eventId: string
  attempts: number
  outcome: string
  nextAt: Date | null
}

interface Options {
  /** Newest first. */
  latestEvents(): Promise<{ id: string; type: string }[]>
  deliveriesOf(eventIds: readonly string[]): Promise<Sent[]>
  /** @returns whether any address had the event */
  resend(eventId: string): Promise<boolean>
  onEvents(): void
}

/** The control API of a provider's deliveries. @param root of the provider's pages: `/cards` */
export function deliveriesApi(app: FastifyInstance, root: `/${string}`, options: Options): void {
  const list = {
    access: 'device',
    method: 'GET',
    path: `${root}/control/deliveries/`,
    summary: 'Deliveries of the latest events, newest event first',
    reply: z.object({ list: z.array(Delivered) }),
  } as const
  const resend = {
    access: 'device',
    method: 'POST',
    path: `${root}/control/events/:id/resend/`,
    summary: 'Sends an event again',
    params: z.object({ id: z.string().regex(/^[\w-]{1,100}$/) }),
    reply: z.object({}),
  } as const

  serve(app, list, async () => {
    const types = new Map((await options.latestEvents()).map(({ id, type }) => [id, type]))
    const found = await options.deliveriesOf([...types.keys()])
    return {
      list: found.toReversed().map(({ eventId, attempts, outcome, nextAt }) => ({
        ...{ eventId, attempts, outcome },
        type: types.get(eventId) ?? '',
        isWaiting: nextAt !== null,
      })),
    }
  })
  serve(app, resend, async ({ params }) => {
    if (!(await options.resend(params.id))) throw new Problem('not_found')
    options.onEvents()
    return {}
  })
}
