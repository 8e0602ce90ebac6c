import { whenFileEnds } from '@atrium/server-kit/test-database.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createApp } from '../app.ts'
import type { Deps } from '../deps.ts'

/** The world that has an app for now. */
interface Tenant {
  deps: Deps
  /** Runs what follows of a request. */
  watch(request: FastifyRequest, next: () => void): void
}

interface SharedApp {
  app: FastifyInstance
  moveIn(tenant: Tenant): void
}

interface Lease {
  app: FastifyInstance
  release(): Promise<void>
}

/** Those of the running test file that nobody has, by the settings with which they were made. */
const free = new Map<string, SharedApp[]>()

whenFileEnds(async () => {
  const left = [...free.values()].flat()
  free.clear()
  for (const { app } of left) await app.close()
})

/**
 * An app for a world: one after the other uses it, since registering the routes takes longer than most tests.
 * @param settings all that it reads when it is made; null: it is the world's own
 */
export async function leaseApp(tenant: Tenant, settings: object | null): Promise<Lease> {
  const key = JSON.stringify(settings)
  const shared = (settings && free.get(key)?.pop()) ?? (await newSharedApp(tenant))
  shared.moveIn(tenant)
  const { app } = shared
  return {
    app,
    async release() {
      if (settings && !app.server.listening) free.set(key, [...(free.get(key) ?? []), shared])
      else await app.close()
    },
  }
}

async function newSharedApp(first: Tenant): Promise<SharedApp> {
  let tenant = first
  const clocks: Pick<Deps, 'clock' | 'wallClock'> = {
    clock: () => tenant.deps.clock(),
    wallClock: () => tenant.deps.wallClock(),
  }
  const current = (name: string | symbol) => Reflect.get(name in clocks ? clocks : tenant.deps, name)
  const deps = new Proxy(first.deps, {
    get: (_first, name) => current(name),
    ownKeys: () => Reflect.ownKeys(tenant.deps),
    getOwnPropertyDescriptor: (_first, name) => ({ value: current(name), configurable: true, enumerable: true }),
  })
  // A busy machine is no busy server.
  const app = await createApp(deps, { maxEventLoopDelay: 0 })
  app.addHook('onRequest', (request, _reply, done) => tenant.watch(request, done))
  return {
    app,
    moveIn(next) {
      tenant = next
    },
  }
}
