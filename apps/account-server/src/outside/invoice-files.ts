/** Fetches the vendor's invoice from its address; undefined if unavailable. Never throws. */
export type FetchInvoiceFile = (url: string) => Promise<Buffer | undefined>

interface FetcherOptions {
  /** The vendor's hosts, over https. */
  hosts: readonly string[]
  /** The card provider's API. */
  providerUrl: string
  send?: typeof fetch
}

/** In bytes. */
export const largestInvoiceFile = 5 * 1024 * 1024

/** The first bytes of every PDF. */
export function isPdf(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, 5)).toString('latin1') === '%PDF-'
}

const timeoutMs = 10_000

/** Concurrent requests to the vendor's server. */
const maxConcurrent = 10

const mostRedirects = 3

/** From the vendor's hosts and the card provider's, which may redirect among themselves. */
export function invoiceFileFetcher({ hosts, providerUrl, send = fetch }: FetcherOptions): FetchInvoiceFile {
  const names = hosts.map((host) => host.toLowerCase())
  const isAllowed = (url: URL) =>
    (url.protocol === 'https:' && names.includes(url.host)) || isProviders(url, new URL(providerUrl))

  async function answerAt(address: string, signal: AbortSignal): Promise<Response | undefined> {
    let url = URL.parse(address)
    for (let redirects = 0; url && isAllowed(url) && redirects <= mostRedirects; redirects += 1) {
      const response: Response = await send(url, { redirect: 'manual', signal })
      const next = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || next === null) return response
      await response.body?.cancel()
      url = URL.parse(next, url.href)
    }
    return undefined
  }

  let running = 0
  return async (address) => {
    if (running >= maxConcurrent) return undefined
    running += 1
    try {
      const response = await answerAt(address, AbortSignal.timeout(timeoutMs))
      return response && (await wholePdf(response))
    } catch {
      return undefined
    } finally {
      running -= 1
    }
  }
}

/** Stripe keeps documents below its domain (`pay.stripe.com`); a provider that speaks its protocol, at its own address. */
function isProviders(url: URL, api: URL): boolean {
  if (api.host !== 'api.stripe.com') return url.origin === api.origin
  return url.protocol === 'https:' && url.port === '' && url.hostname.endsWith('.stripe.com')
}

/** The body, if it is a PDF within the size limit. */
async function wholePdf(response: Response): Promise<Buffer | undefined> {
  if (!response.ok || !response.body) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > largestInvoiceFile) return undefined
    chunks.push(chunk)
  }
  const file = Buffer.concat(chunks)
  return isPdf(file) ? file : undefined
}
