/**
 * Whether a ticket for this address may activate a device: one that ended at the device's own machine. A ticket that was
 * issued for any other service is nobody else's to use.
 */
export function isAtTheDevice(service: string): boolean {
  if (!URL.canParse(service)) return false
  const { protocol, hostname, port } = new URL(service)
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]') && port !== ''
}
