const key = 'atrium:return-to'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Stores the requested address while the visitor signs in (000 §2). */
export function storeReturnAddress(storage: Storage, location: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  storage.setItem(key, location.pathname + location.search + location.hash)
}

interface ReturnAddress {
  address: string
  /** Whether the page was wanted in another language than the one that is shown. */
  isTranslated: boolean
}

/**
 * The stored address, once, if it is on our origin: storage is not trusted. In the language of the page that is shown, since the person
 * may have chosen it while they signed in.
 */
export function takeReturnAddress(
  storage: Storage,
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'>,
): ReturnAddress | undefined {
  const address = storage.getItem(key)
  storage.removeItem(key)
  if (address === null || !isOwnPath(address, origin)) return undefined
  const wanted = new URL(address, origin)
  return { address: pathname + wanted.search + wanted.hash, isTranslated: wanted.pathname !== pathname }
}

function isOwnPath(address: string, origin: string): boolean {
  if (!address.startsWith('/') || address.startsWith('//') || address.startsWith('/\\')) return false
  return URL.canParse(address, origin) && new URL(address, origin).origin === origin
}
