/** A UUID (version 8, RFC 9562) derived from a hex digest: the same digest gives the same UUID. */
export function uuidFrom(digest: string): string {
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
