/**
 * A link that a vendor's data brings, where it may be given to a customer: only https, on the ordinary port, at one of
 * the hosts of the settings, without a name or password in it. Anything else is answered as ''.
 */
export function allowedLink(url: string, hosts: readonly string[]): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.port !== '') return ''
  if (parsed.username !== '' || parsed.password !== '') return ''
  return hosts.some((host) => host.toLowerCase() === parsed.hostname) ? parsed.href : ''
}
