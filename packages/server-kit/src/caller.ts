/** A caller who is not (or need not be) signed in. */
export interface Visitor {
  /** The network address of the request. */
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
  /** The account at the single sign-on. */
  subject: string
}
