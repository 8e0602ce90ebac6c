/**
 * A link from the vendor's data if customers may get it: https on the default port, on an allowed host, without credentials.
 * Otherwise ''.
 */
export function allowedLink(url: string, hosts: readonly string[]): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.port !== '') return ''
  if (parsed.username !== '' || parsed.password !== '') return ''
  return hosts.some((host) => host.toLowerCase() === parsed.hostname) ? parsed.href : ''
}
