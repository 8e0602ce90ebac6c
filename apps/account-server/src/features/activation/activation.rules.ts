import { createHmac, randomUUID } from 'node:crypto'
import { uuidFrom } from '../../db/derived-uuid.ts'

/** Whether a ticket for this service may activate a device: only if it was issued for a loopback address. */
export function isAtTheDevice(service: string): boolean {
  if (!URL.canParse(service)) return false
  const { protocol, hostname, port } = new URL(service)
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]') && port !== ''
}

/**
 * The token (`activationId`) of a device that was activated with a key. Two versions of the product on one computer share an
 * activation and must get the same token, although only its hash is stored. So it is derived from the key.
 */
export function keyDeviceToken(key: string, deviceId: string): string {
  return uuidFrom(createHmac('sha256', key).update(deviceId).digest('hex'))
}

/** The token of a device that was activated by signing in: a new one each time. */
export function newEmailDeviceToken(): string {
  return randomUUID()
}
