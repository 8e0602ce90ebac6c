import { isIPv6 } from 'node:net'

/** The network of an address, for limits: a single IPv4 address, or a /64 of IPv6, which one household can use freely. */
export function networkOf(address: string): string {
  return prefixOf(address, 4)
}

/**
 * The site of an address, for limits of what is guessed or mailed: a single IPv4 address, or a /48 of IPv6, which is the most that one
 * connection is usually given (RFC 6177 §2), and has 65,536 networks.
 */
export function siteOf(address: string): string {
  return prefixOf(address, 3)
}

/** @param length in groups of 16 bits */
function prefixOf(address: string, length: number): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(address)) return address

  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const first = head.split(':').filter((group) => group !== '')
  const last = tail?.split(':').filter((group) => group !== '') ?? []
  const gap = tail === undefined ? 0 : 8 - first.length - last.length
  const groups = [...first, ...new Array<string>(Math.max(0, gap)).fill('0'), ...last]
  return `${groups
    .slice(0, length)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${16 * length}`
}
