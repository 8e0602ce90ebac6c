const key = 'atrium:sign-in-attempts'

/** More sign-ins than this within a minute are no visitor's doing: the cookie does not hold, and we would go round. */
const most = 3
const minute = 60_000

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Notes that the visitor is sent to sign in; `false` when that has just happened too often to be of use. */
export function mayTrySignIn(storage: Storage, now: number): boolean {
  const recent = (storage.getItem(key) ?? '')
    .split(',')
    .map(Number)
    .filter((time) => time > now - minute)
  if (recent.length >= most) return false
  storage.setItem(key, [...recent, now].join(','))
  return true
}

/** The visitor is in, or was told and asks for another try themselves. */
export function forgetAttempts(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(key)
}
