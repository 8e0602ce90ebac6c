import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import type { AccountConfig } from '../../config.ts'
import { ProviderFailure } from '../provider-failure.ts'

/** The names in PayPal's signing certificates, for live and test accounts. */
const names = ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com']

const path = '/v1/notifications/certs/'
const timeoutMs = 5000
const longestChain = 5
const longestText = 65_536

/** PayPal rolls its certificate about once a year; whoever sends other addresses must not fill the memory. */
const mostKnown = 20

/** PayPal needs one a year. More at once are somebody's who makes addresses up, and must not be passed on to PayPal. */
const mostFetches = 10
const fetchWindowMs = 60_000

type Config = Pick<AccountConfig, 'PAYPAL_API_URL' | 'PAYPAL_ROOTS'>

/**
 * Fetches the certificates that PayPal signs events with, and keeps them.
 * @returns a function from an address to the certificate; undefined for one that is not PayPal's, or not valid
 */
export function signingCertificates({ PAYPAL_API_URL: api, PAYPAL_ROOTS: rootsAt }: Config) {
  const origins = originsOf(api)
  const known = new Map<string, X509Certificate>()
  const fetches: number[] = []
  let roots: X509Certificate[] | undefined

  function countFetch(now: number): void {
    while (fetches[0] !== undefined && fetches[0] < now - fetchWindowMs) fetches.shift()
    if (fetches.length >= mostFetches) {
      throw new ProviderFailure('unavailable', new Error('too many certificates were asked for'))
    }
    fetches.push(now)
  }

  return async (address: string, now: Date): Promise<X509Certificate | undefined> => {
    const url = URL.parse(address)
    if (!url || !origins.includes(url.origin) || !url.pathname.startsWith(path) || url.username !== '') return undefined
    const before = known.get(url.href)
    if (before) return isValid(before, now) ? before : undefined

    countFetch(now.getTime())
    roots ??= certificatesIn(await rootsText(rootsAt))
    const chain = certificatesIn(await textAt(url.href))
    if (!isTrusted(chain, roots, now)) return undefined
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size >= mostKnown) known.delete(oldest)
    const [leaf] = chain
    if (leaf) known.set(url.href, leaf)
    return leaf
  }
}

/** PayPal's API is at two hosts: `api-m.paypal.com` for calls, `api.paypal.com` for certificates. */
function originsOf(api: string): string[] {
  const { origin } = new URL(api)
  return [origin, origin.replace('://api-m.', '://api.')]
}

/** Whether the first certificate is PayPal's, and the others lead from it to a root that is trusted. */
function isTrusted(chain: readonly X509Certificate[], roots: readonly X509Certificate[], now: Date): boolean {
  let [current] = chain
  if (!current || current.ca || !names.some((name) => current?.checkHost(name) !== undefined)) return false
  for (let length = 0; current && length < longestChain; length += 1) {
    if (!isValid(current, now)) return false
    const issued: X509Certificate = current
    if (roots.some((root) => isValid(root, now) && isIssuedBy(issued, root))) return true
    current = chain.find((other) => other.ca && other !== issued && isIssuedBy(issued, other))
  }
  return false
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValid({ validFromDate: from, validToDate: to }: X509Certificate, now: Date): boolean {
  return from <= now && now <= to
}

function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)]
    } catch {
      return []
    }
  })
}

function rootsText(place: string): Promise<string> | string {
  if (place === 'system') return getCACertificates('default').join('\n')
  return /^https?:/.test(place) ? textAt(place) : readFile(place, 'utf8')
}

/** @throws ProviderFailure */
async function textAt(address: string): Promise<string> {
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    if (response.status === 404) return ''
    if (response.ok && text.length <= longestText) return text
    throw new Error(`it answers ${response.status}`)
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error))
    throw new ProviderFailure('unavailable', new Error(`The certificate at ${address} cannot be read.`, { cause }))
  }
}
