import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import type { AccountConfig } from '../../config.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { newFetchBudget, remember } from './fetch-budget.ts'

/** The names in PayPal's signing certificates, for live and test accounts. */
const names = ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com']

/** Of a certificate: `CERT-360caa42-fca2a594-df8cd2d5`. */
const path = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,64}$/
const timeoutMs = 5000
const longestChain = 5
const longestText = 65_536

/** Far more than PayPal has. Only its own are here, so that no made-up name can push one out. */
const mostKnown = 20

/** Names that were found to be none, for as long as PayPal may take to publish one everywhere. */
const mostUnknown = 1000
const unknownMs = 300_000

type Config = Pick<AccountConfig, 'PAYPAL_API_URL' | 'PAYPAL_ROOTS'>

interface Wanted {
  /** Of the request that names the certificate. */
  network: string
  now: Date
}

/** Fetches the certificates that PayPal signs events with, and keeps them. */
export function signingCertificates({ PAYPAL_API_URL: api, PAYPAL_ROOTS: rootsAt }: Config) {
  const origins = originsOf(api)
  const known = new Map<string, X509Certificate>()
  /** With the time until which they count as none. */
  const unknown = new Map<string, number>()
  const fetching = new Map<string, Promise<X509Certificate | undefined>>()
  const budget = newFetchBudget()
  let roots: X509Certificate[] | undefined

  async function fetchTrusted(address: string, now: Date): Promise<X509Certificate | undefined> {
    roots ??= certificatesIn(await rootsText(rootsAt))
    const chain = certificatesIn(await textAt(address))
    const [leaf] = chain
    if (!leaf || !isTrusted(chain, roots, now)) {
      remember(unknown, address, mostUnknown)
      unknown.set(address, now.getTime() + unknownMs)
      return undefined
    }
    for (const [other, certificate] of known) if (!isValid(certificate, now)) known.delete(other)
    remember(known, address, mostKnown)
    known.set(address, leaf)
    return leaf
  }

  /** One fetch for all who ask at the same time. @throws ProviderFailure if the network has made too many names up */
  function fetchOnce(address: string, { network, now }: Wanted): Promise<X509Certificate | undefined> {
    const running = fetching.get(address)
    if (running) return running
    if (!budget.take(network, now.getTime())) {
      throw new ProviderFailure('unavailable', new Error('too many certificates were asked for'))
    }
    const fetched = fetchTrusted(address, now).finally(() => fetching.delete(address))
    fetching.set(address, fetched)
    return fetched
  }

  return {
    /** @returns the certificate at an address; undefined for one that is not PayPal's, or not valid @throws ProviderFailure */
    async at(address: string, wanted: Wanted): Promise<X509Certificate | undefined> {
      const url = URL.parse(address)
      if (!url || !origins.includes(url.origin) || !path.test(url.pathname) || url.username !== '') return undefined
      // Another query would be another name of the same.
      if (url.search !== '' || url.hash !== '') return undefined
      const before = known.get(url.href)
      if (before) return isValid(before, wanted.now) ? before : undefined
      if ((unknown.get(url.href) ?? 0) > wanted.now.getTime()) return undefined
      return fetchOnce(url.href, wanted)
    },

    /** An event from this network was signed: its share of fetches is its own from now on. */
    prove: budget.prove,
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
