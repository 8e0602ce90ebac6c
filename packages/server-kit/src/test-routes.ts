import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Endpoint } from '@atrium/contract/endpoint.ts'
import { type Locale, localePath, locales } from '@atrium/contract/locale.ts'
import { supportPath } from '@atrium/contract/support-sessions.ts'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { isReadBySupport } from './serve.ts'

export interface TestRoute {
  method: string
  /** With `{prefix}` for a language's prefix. */
  path: string
  /** Undefined for a page, a redirect, or a request of another program. */
  endpoint: Endpoint | undefined
}

/** All routes of the servers that are created meanwhile, each once; without HEAD, which Fastify adds to every GET. */
export async function routesOf(create: () => Promise<unknown>): Promise<TestRoute[]> {
  const routes = new Map<string, TestRoute>()
  const add = ({ method: methods, url, config }: RouteOptions) => {
    const { endpoint } = (config ?? {}) as { endpoint?: Endpoint }
    for (const method of [methods].flat().filter((name) => name !== 'HEAD')) {
      const path = locales.reduce(withoutPrefix, url)
      routes.set(`${method} ${path}`, { method, path, endpoint })
    }
  }
  const observe = (message: unknown) => (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', add)
  subscribe('fastify.initialization', observe)
  try {
    await create()
  } finally {
    unsubscribe('fastify.initialization', observe)
  }
  return [...routes.values()]
}

function withoutPrefix(path: string, locale: Locale): string {
  const prefixed = localePath(locale, '/account')
  return prefixed === '/account' ? path : path.replace(prefixed, '{prefix}/account')
}

/** Who may, by the problem with which an endpoint refuses everybody else. A foreign object looks like a missing one to all. */
const byRefusal: Readonly<Record<string, string>> = {
  not_owner: 'the Owner of the subscription',
  not_manager: 'the Owner, Admins and Setup Admins of the subscription',
  not_holder: 'the Holder of the license',
  token_refused: 'a bearer of a token that account-server signed for a signed-in member',
  fresh_sign_in_required:
    'a signed-in member who entered their credentials in the last ten minutes, for what is their own',
  signed_out: 'a browser that is signed in',
  has_password: 'a browser that is signed in, to an account without a password',
  other_address: 'a signed-in member with the invited address',
  support_not_granted: 'a support agent who has just signed in',
  popup_expired: 'a popup that was opened with a token of account-server',
  flow_spent: 'the browser that began at the login provider',
  link_spent: 'a browser with the emailed link',
}

const byAccess = {
  member: 'a signed-in member, for what is their own',
  anyone: 'anyone',
  device: 'a program, with what identifies it in the body',
}

function whoMay({ access = 'member', problems }: Endpoint): string {
  const refusal = Object.keys(problems ?? {}).find((code) => code in byRefusal)
  return byRefusal[refusal ?? ''] ?? byAccess[access]
}

/** Of a team, support sees that of the member who lets them in alone. */
function readBySupport(endpoint: Endpoint | undefined, routes: ReadonlySet<string>): string {
  const isRead = endpoint && isReadBySupport(endpoint) && routes.has(`GET ${supportPath}${endpoint.path}`)
  if (!isRead) return ''
  return 'not_manager' in (endpoint.problems ?? {}) ? 'reads, where the member is the Owner' : 'reads'
}

/**
 * The authorization table of a server, as Markdown: every route, and who may.
 * @param others who may use the routes that are not endpoints, and those of which an endpoint does not say it, by method and path
 * @throws Error for a route that nobody has decided about, and for one in `others` that does not exist
 */
export function authorizationTable(routes: readonly TestRoute[], others: Readonly<Record<string, string>>): string {
  const names = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const rows = routes
    .filter(({ path, endpoint }) => path === endpoint?.path || !endpoint)
    .sort((one, other) => (`${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1))
    .map(({ method, path, endpoint }) => {
      const who = others[`${method} ${path}`] ?? (endpoint && whoMay(endpoint))
      if (who === undefined) throw new Error(`Nobody has decided who may: ${method} ${path}`)
      return `| \`${method} ${path}\` | ${who} | ${readBySupport(endpoint, names)} |`
    })
  const missing = Object.keys(others).filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\``)))
  if (missing.length > 0) throw new Error(`No such route: ${missing.join(', ')}`)

  return ['| route | who may | a support agent |', '|---|---|---|', ...rows, ''].join('\n')
}
