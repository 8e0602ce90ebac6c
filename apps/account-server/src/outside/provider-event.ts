/** A provider's event. Only a hint: the object is fetched rather than trusted. */
export interface ProviderEvent {
  id: string
  /** `setup_intent.succeeded`. */
  type: string
  /** The object's type: `setup_intent`, `subscription` … */
  objectType: string
  objectId: string
}
