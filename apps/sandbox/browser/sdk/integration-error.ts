/** Incorrect use of the SDK: a message for developers, not for customers. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError'
}
