import type { FastifyInstance, InjectOptions } from 'fastify'

/** Path suffixes that scanners use: dots, NUL, backslashes, lone surrogates, in various encodings. */
const ends = [
  '%2e%2e/x',
  '%2e%2e%2fx',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  'a%00.js',
  '%5c',
  '..%5c..%5cx',
  '%',
  '%2',
  '%ff',
  '%c0%ae%c0%ae/',
  '%ED%A0%80',
  '%25%00',
  '/',
  '//evil.test/',
  '.git/config',
  'x'.repeat(3000),
  '?%00=%00',
  '?page=%ED%A0%80&__proto__[x]=1',
]

const headers: readonly Record<string, string>[] = [
  { accept: 'text/html;q=x,*/*;q=1e9' },
  { 'accept-language': '%'.repeat(500) },
  { cookie: '=; =; a=%; atrium_session=%00; __proto__=x' },
  { range: 'bytes=9-1' },
  { 'if-match': '"x"', 'if-unmodified-since': 'Mon, 01 Jan 1990 00:00:00 GMT' },
  { 'content-type': 'application/json; charset=nonsense' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'stripe-signature': 't=1,v1=' },
  { origin: 'null', referer: 'x' },
]

/** The address of every route of a ready app, with `x` for parameters. */
export function addressesOf(app: FastifyInstance): string[] {
  const parents: string[] = []
  return app
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^(.*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      const depth = indent.length / 4
      parents.splice(depth, parents.length, part)
      const address = parents.join('').replaceAll(/:\w+|\*/g, 'x')
      return methods ? [address] : []
    })
}

/** Hostile requests to each address. */
export function* hostileRequests(addresses: Iterable<string>): Generator<InjectOptions> {
  for (const address of addresses) {
    for (const end of ends) yield { method: 'GET', url: `${address.replace(/\/$/, '')}/${end}` }
    for (const header of headers) {
      yield { method: 'GET', url: address, headers: header }
      yield { method: 'POST', url: address, headers: header, payload: '\0{' }
    }
    yield { method: 'HEAD', url: address }
    yield { method: 'OPTIONS', url: address }
  }
}
