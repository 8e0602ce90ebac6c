/** Fetches the vendor's invoice from its address; undefined if unavailable. Never throws. */
export type FetchInvoiceFile = (url: string) => Promise<Buffer | undefined>

interface FetcherOptions {
  /** Hosts from which files are fetched. */
  hosts: readonly string[]
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

/** Only https, only allowed hosts, no redirects. */
export function invoiceFileFetcher({ hosts, send = fetch }: FetcherOptions): FetchInvoiceFile {
  const names = hosts.map((host) => host.toLowerCase())
  let running = 0
  return async (address) => {
    const url = URL.parse(address)
    if (url?.protocol !== 'https:' || !names.includes(url.host) || running >= maxConcurrent) return undefined

    running += 1
    try {
      const response = await send(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      return await wholePdf(response)
    } catch {
      return undefined
    } finally {
      running -= 1
    }
  }
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
