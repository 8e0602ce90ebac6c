import { AsyncLocalStorage } from 'node:async_hooks'
import type { Endpoint } from '@atrium/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { AccountConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { cardProvider } from '../outside/card-provider/card-provider.ts'
import { cloudTicketFetcher } from '../outside/cloud-tickets.ts'
import { paypalProvider } from '../outside/paypal/paypal.ts'
import { ssoAccounts } from '../outside/sso.ts'

type Given = Pick<Deps, 'renderInvoice' | 'fetchInvoiceFile'>

/**
 * Finds endpoints that ask another company or render a document, and that a member may call as often as they like: whichever test
 * calls one fails at its end.
 */
export function unlimitedCalls() {
  const requests = new AsyncLocalStorage<FastifyRequest>()
  const found = new Set<string>()

  function note() {
    const request = requests.getStore()
    const endpoint: Endpoint | undefined = request && endpointOf(request)
    const isMembers = endpoint?.access === undefined || endpoint.access === 'member'
    if (endpoint && isMembers && !endpoint.limit) found.add(`${endpoint.method} ${endpoint.path}`)
  }

  /** Reading a call of it is taken for making it, so that tests can replace the call itself. */
  function noted<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get(target, name, receiver) {
        note()
        return Reflect.get(target, name, receiver)
      },
    })
  }

  function notedCall<Parameters extends unknown[], Answer>(call: (...given: Parameters) => Answer) {
    return (...given: Parameters) => {
      note()
      return call(...given)
    }
  }

  return {
    /** What is asked. */
    watch: (config: AccountConfig, { renderInvoice, fetchInvoiceFile }: Given) => ({
      cards: noted(cardProvider(config)),
      paypal: noted(paypalProvider(config)),
      sso: noted(ssoAccounts(config.SSO_URL)),
      fetchCloudTicket: notedCall(cloudTicketFetcher(config)),
      renderInvoice: notedCall(renderInvoice),
      fetchInvoiceFile: notedCall(fetchInvoiceFile),
    }),
    watchRequest(request: FastifyRequest, next: () => void) {
      requests.run(request, next)
    },
    /** @throws Error with their names */
    expectNone() {
      if (found.size > 0) throw new Error(`declare a limit on ${[...found].join(', ')}`)
    },
  }
}

function endpointOf({ routeOptions }: FastifyRequest): Endpoint | undefined {
  const { endpoint } = routeOptions.config as { endpoint?: Endpoint }
  return endpoint
}
