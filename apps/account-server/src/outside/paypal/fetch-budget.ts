/** PayPal makes a new certificate about once a year: whoever names more of them makes names up. */
const mostOfNetwork = 5
const mostTogether = 30
const windowMs = 600_000

/** Numbers of networks that are remembered; more are somebody's who has many, whom the limit of all together holds. */
const mostNetworks = 5000
const mostProven = 200

/**
 * How many unknown certificates may be fetched. One network that makes names up uses up its own share, and many of them that of all
 * together, but never that of a network from which a signed event came before: PayPal's.
 */
export function newFetchBudget() {
  const ofNetwork = new Map<string, number[]>()
  const together: number[] = []
  const proven = new Set<string>()

  return {
    /** Takes one fetch. @returns false if there is none left */
    take(network: string, now: number): boolean {
      const own = recent(ofNetwork.get(network) ?? [], now)
      const shared = recent(together, now)
      const isProven = proven.has(network)
      if (own.length >= mostOfNetwork || (!isProven && shared.length >= mostTogether)) return false
      remember(ofNetwork, network, mostNetworks)
      ofNetwork.set(network, [...own, now])
      if (!isProven) together.splice(0, together.length, ...shared, now)
      return true
    },

    /** A network from which an event came that is signed. */
    prove(network: string): void {
      remember(proven, network, mostProven)
      proven.add(network)
    },
  }
}

function recent(times: readonly number[], now: number): number[] {
  return times.filter((time) => time > now - windowMs)
}

/** Makes room for a key, which becomes the newest: the one that was used least lately goes. */
export function remember<Key>(store: Map<Key, unknown> | Set<Key>, key: Key, most: number): void {
  const [oldest] = store.keys()
  if (!store.delete(key) && store.size >= most && oldest !== undefined) store.delete(oldest)
}
