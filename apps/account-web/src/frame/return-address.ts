const key = 'atrium:return-to'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Stores the requested address while the visitor signs in (000 §2). */
export function storeReturnAddress(storage: Storage, location: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  storage.setItem(key, location.pathname + location.search + location.hash)
}

/** The stored address, once, if it is on our origin: storage is not trusted. */
export function takeReturnAddress(storage: Storage, origin: string): string | undefined {
  const address = storage.getItem(key)
  storage.removeItem(key)
  if (address === null || !isOwnPath(address, origin)) return undefined
  return address
}

function isOwnPath(address: string, origin: string): boolean {
  if (!address.startsWith('/') || address.startsWith('//') || address.startsWith('/\\')) return false
  return URL.canParse(address, origin) && new URL(address, origin).origin === origin
}
