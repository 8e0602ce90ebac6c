const key = 'atrium:sign-in-attempts'

/** More sign-ins within a minute are a redirect loop: the session cookie is not stored. */
const most = 3
const minute = 60_000

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Records a redirect to the sign-in; `false` if there were too many. */
export function mayTrySignIn(storage: Storage, now: number): boolean {
  const recent = (storage.getItem(key) ?? '')
    .split(',')
    .map(Number)
    .filter((time) => time > now - minute)
  if (recent.length >= most) return false
  storage.setItem(key, [...recent, now].join(','))
  return true
}

/** Resets the count after a sign-in, or when the visitor asks for another try. */
export function forgetAttempts(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(key)
}
