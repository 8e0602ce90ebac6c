import { BlockList, isIP } from 'node:net'
import { emailFault } from '@atrium/contract/email.ts'
import { compile } from '@fastify/proxy-addr'
import { z } from 'zod'

/** Settings that are missing or invalid, one sentence each, printed before exit 1. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
  }
}

/** Reads all settings of a program. Empty strings count as not set. */
export function readConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  const parsed = schema.safeParse(given, { error: reasonOf })
  if (parsed.success) return parsed.data

  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? '')
    const reason = given[name] === undefined ? 'is not set, but is needed' : `is not valid: ${issue.message}`
    return `The setting ${name} ${reason}. See .env.example.`
  })
  throw new ConfigError([...new Set(lines)])
}

/** The reason for an issue for which the schema has no message. */
function reasonOf(issue: z.core.$ZodRawIssue): string {
  const { code, origin } = issue
  if (code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (code === 'invalid_type') return issue.expected === 'int' ? 'must be a whole number' : 'must be a number'
  if (code === 'too_small') return bound(origin, `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`)
  if (code === 'too_big') return bound(origin, `at most ${issue.maximum}`)
  return code === 'invalid_format' && issue.format === 'email' ? 'must be an e-mail address' : 'cannot be read'
}

function bound(origin: unknown, limit: string): string {
  if (origin === 'string') return `must have ${limit} characters`
  return origin === 'array' ? `must have ${limit} entries` : `must be ${limit}`
}

/** Whether a setting is given and not empty. */
export function isSet(env: NodeJS.ProcessEnv, name: string): boolean {
  return Boolean(env[name]?.trim())
}

/** Whether an address means the caller's own machine: `localhost`, 127.x, `[::1]`. */
export function isOnThisMachine(address: string): boolean {
  const { hostname } = new URL(address)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(bare)
  return family !== 0 && loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether customers can reach an address: https, and not on this machine. */
export function isPublic(address: string): boolean {
  return new URL(address).protocol === 'https:' && !isOnThisMachine(address)
}

/** A part of a host name (RFC 1123), with the underscore that some networks have. */
const label = /^[a-z\d]([\w-]*[a-z\d])?$/i

/** A host name or an IP address, and a port that can be reached. The names of other protocols are checked as those of http. */
function hasHost(url: string): boolean {
  const { hostname: host = '', port = '' } = URL.parse(url) ?? {}
  if (port === '0' || URL.parse(`http://${host}`) === null) return false
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 || host.split('.').every((part) => label.test(part))
}

const address = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address', abort: true })
  .refine(hasHost, { message: 'must have a host name such as www.example.com, or an IP address', abort: true })

/** An http(s) address without a trailing slash. */
export const Address = address.transform((url) => url.replace(/\/+$/, ''))

/** An address to which paths are appended. */
export const BaseAddress = address
  .refine((url) => !/[?#]/.test(url), 'must be an address without ? and #: paths are appended to it')
  .transform((url) => url.replace(/\/+$/, ''))

/** Where customers reach a program: scheme, host and port; https unless it is on this machine. */
export const Origin = address
  .refine((url) => URL.parse(url)?.href === `${URL.parse(url)?.origin}/`, {
    message: 'must be an address without a path, such as https://account.example.com',
    abort: true,
  })
  .refine((url) => isPublic(url) || isOnThisMachine(url), 'must be an https address, unless it is on this machine')
  .transform((url) => url.replace(/\/+$/, ''))

export const Port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(1, 'must be 1 to 65535')
  .max(65_535, 'must be 1 to 65535')

/** Comma-separated. */
export const List = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
)

/** Hosts, with a port unless it is 443; `none` for an empty list, where a value is required. */
export const Hosts = List.transform((hosts) => hosts.filter((host) => host !== 'none')).pipe(
  z.array(
    z
      .string()
      .toLowerCase()
      .refine(
        (host) => URL.parse(`https://${host}`)?.host === host && hasHost(`https://${host}`),
        'must be hosts such as files.example.com, without https://',
      ),
  ),
)

/** The proxies that Fastify trusts. */
export const Proxies = List.pipe(
  z.array(z.string().refine(isProxy, 'must be IP addresses or networks, such as 127.0.0.1 or 10.0.0.0/8')),
)

function isProxy(entry: string): boolean {
  try {
    compile(entry)
    return true
  } catch {
    return false
  }
}

export const DatabaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address', abort: true })
  // A `/`, `?` or `#` in the password would end the host, and a part of the password would be taken for it.
  .refine(
    (url) => URL.parse(url) !== null && !/^\w+:\/\/[^/?#]*[/?#].*@/.test(url),
    'must be like postgres://user:password@host:5432/database, with the password percent-encoded',
  )

export const SmtpUrl = z
  .url({
    protocol: /^smtps?$/,
    message: 'must be an address such as smtp://user:password@host:port',
    abort: true,
  })
  .refine(hasHost, {
    message: 'must have a host name such as mail.example.com, or an IP address',
    abort: true,
  })
  // A `/`, `?` or `#` in the password would end the host, and a part of the password would be taken for it.
  .refine(
    (url) => /^\w+:\/\/[^/?#]*\/?$/.test(url),
    'must be like smtp://user:password@host:port, with the password percent-encoded',
  )

/** `Example <no-reply@example.com>`, or only the address. */
export const Mailbox = z.string().refine((text) => {
  const [, inBrackets] = /^[^<>]*<([^<>]+)>$/.exec(text) ?? []
  return !emailFault(inBrackets ?? text)
}, 'must be an e-mail address, or a name and one: Example <no-reply@example.com>')
