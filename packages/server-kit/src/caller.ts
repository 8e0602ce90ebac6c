/** Somebody who is not (or need not be) signed in. */
export interface Visitor {
  /** Where the request came from. */
  address: string
  requestId: string
}

/** The person a request acts for. */
export interface Member extends Visitor {
  id: string
  email: string
  firstName: string
  lastName: string
  sessionId: string
  /** Who they are at the single sign-on. */
  subject: string
}
