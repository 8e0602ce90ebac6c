import type { z } from 'zod'

/** A provider's event. Only a hint: the object is fetched rather than trusted. */
export interface ProviderEvent {
  id: string
  /** `setup_intent.succeeded`. */
  type: string
  /** The object's type: `setup_intent`, `subscription` … */
  objectType: string
  objectId: string
}

/** What a provider has signed, and is not an event that can be stored. */
export interface NotAnEvent {
  /** Names fields and what is wrong with them, and has nothing of what the body says. */
  reason: string
}

export function isEvent(given: ProviderEvent | NotAnEvent): given is ProviderEvent {
  return !('reason' in given)
}

export const notJson: NotAnEvent = { reason: 'not JSON' }

/** Which fields of a body are not as an event has them. */
export function notAnEvent({ issues }: z.ZodError): NotAnEvent {
  return { reason: issues.map(({ path, code }) => `${path.join('.') || 'body'}: ${code}`).join(', ') }
}
