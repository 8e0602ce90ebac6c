/** The SDK is used in a way that cannot work: for the developer, never for the customer. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError'
}
