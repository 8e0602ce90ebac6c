const key = 'atrium:return-to'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Keeps the wanted address while the visitor signs in (000 §2). */
export function keepReturnAddress(storage: Storage, location: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  storage.setItem(key, location.pathname + location.search + location.hash)
}

/** The kept address, once, if it is one of our own: nobody is sent elsewhere by what stands in storage. */
export function takeReturnAddress(storage: Storage, origin: string): string | undefined {
  const kept = storage.getItem(key)
  storage.removeItem(key)
  if (kept === null || !isOwnPath(kept, origin)) return undefined
  return kept
}

function isOwnPath(address: string, origin: string): boolean {
  if (!address.startsWith('/') || address.startsWith('//') || address.startsWith('/\\')) return false
  return URL.canParse(address, origin) && new URL(address, origin).origin === origin
}
