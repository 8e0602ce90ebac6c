const key = 'atrium:invitation'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The token of an invitation that the page is to show: of its link, or stored before somebody signed in to accept it. */
export function invitationIn({ search }: Pick<Location, 'search'>, storage: Storage): string | undefined {
  const stored = storage.getItem(key)
  storage.removeItem(key)
  return new URLSearchParams(search).get('invitation') ?? stored ?? undefined
}

/** Stores the invitation while the person signs in, or out and in with another account. */
export function storeInvitation(storage: Storage, token: string): void {
  storage.setItem(key, token)
}

/** The single sign-on fills in the invited address; it trusts it no more than a typed one. */
export function withHint(address: string, email: string): string {
  const url = new URL(address)
  url.searchParams.set('email', email)
  return url.href
}

/** The page of our single sign-on that makes an account and returns to where the sign-in would. */
export function signUpInstead(signInUrl: string, ssoUrl: string): string {
  return `${ssoUrl}/sign-up${new URL(signInUrl).search}`
}
