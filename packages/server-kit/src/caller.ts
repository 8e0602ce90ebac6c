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
  /** The account at the single sign-on; empty for a support agent, so that nothing is signed for the member. */
  subject: string
  /** Whether they entered their credentials in the last ten minutes, as what is sensitive requires. */
  isFresh?: boolean
  /** A support agent whom the member lets in: what only reads must then change nothing by the way, either. */
  isSupport?: boolean
}
