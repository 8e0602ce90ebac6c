/** A decline, in the words of the card's bank. */
export interface Decline {
  code: string
  declineCode: string
  message: string
  /** Blocked as too risky by the provider, before the bank is asked. */
  isBlocked?: true
}

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
})

export const declines = {
  generic: declined('generic_decline'),
  insufficientFunds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  lost: declined('lost_card'),
  stolen: declined('stolen_card'),
  expired: { code: 'expired_card', declineCode: 'expired_card', message: 'Your card has expired.' },
  incorrectCvc: {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processingError: {
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  tooOften: declined(
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  tooRisky: { ...declined('fraudulent'), isBlocked: true },
  authenticationRequired: {
    code: 'authentication_required',
    declineCode: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  authenticationNotHandled: {
    code: 'authentication_required',
    declineCode: 'authentication_not_handled',
    message: 'Your card was declined. This transaction requires authentication.',
  },
} satisfies Readonly<Record<string, Decline>>

interface Behavior {
  /**
   * When the bank requires authentication: never; only if the merchant requests it; on session always, and off session
   * unless the card was set up; always; or only on session.
   */
  asks: 'never' | 'on_request' | 'unless_set_up' | 'always' | 'in_person'
  /** Declines every use: attaching, setting up, charging. */
  refuses?: Decline
  /** Declines charges only, after any authentication. */
  refusesCharges?: Decline
  /** The authentication itself fails with an error. */
  breaksWhenAsked?: true
  cvcFails?: true
}

/** How the documented test cards behave. */
const behaviors = {
  succeeds: { asks: 'never' },
  cannotBeAsked: { asks: 'never' },
  declines: { asks: 'never', refuses: declines.generic },
  declinesForFunds: { asks: 'never', refuses: declines.insufficientFunds },
  declinesAsLost: { asks: 'never', refuses: declines.lost },
  declinesAsStolen: { asks: 'never', refuses: declines.stolen },
  declinesAsExpired: { asks: 'never', refuses: declines.expired },
  declinesForCvc: { asks: 'never', refuses: declines.incorrectCvc },
  breaks: { asks: 'never', refuses: declines.processingError },
  declinesForFrequency: { asks: 'never', refuses: declines.tooOften },
  declinesAsFraud: { asks: 'never', refusesCharges: declines.tooRisky },
  declinesLater: { asks: 'never', refusesCharges: declines.generic },
  failsCvcCheck: { asks: 'never', cvcFails: true },
  asksOnRequest: { asks: 'on_request' },
  breaksOnRequest: { asks: 'on_request', breaksWhenAsked: true },
  asksUnlessSetUp: { asks: 'unless_set_up' },
  asksAlways: { asks: 'always' },
  asksInPerson: { asks: 'in_person' },
  asksThenLacksFunds: { asks: 'unless_set_up', refusesCharges: declines.insufficientFunds },
  asksThenDeclines: { asks: 'unless_set_up', refusesCharges: declines.generic },
  breaksWhenAsked: { asks: 'unless_set_up', breaksWhenAsked: true },
} satisfies Readonly<Record<string, Behavior>>

export type BehaviorName = keyof typeof behaviors

/** Whether the bank declines the security code. */
export function failsCvcCheck(name: BehaviorName): boolean {
  const behavior: Behavior = behaviors[name]
  return behavior.cvcFails ?? false
}

export interface Attempt {
  behavior: BehaviorName
  purpose: 'setup' | 'payment'
  isOffSession: boolean
  isSetUp: boolean
  /** The merchant requests 3-D Secure whenever it is possible. */
  isAskedFor: boolean
  /** The card has expired. */
  isExpired: boolean
  /** The cardholder has just authenticated. */
  isAuthenticated: boolean
}

/** The bank's decision: approve, require authentication, or decline. */
export function bankAnswer(attempt: Attempt): 'approved' | 'challenge' | Decline {
  const behavior: Behavior = behaviors[attempt.behavior]
  if (behavior.refuses) return behavior.refuses
  if (attempt.isExpired) return declines.expired
  if (!attempt.isAuthenticated && mustAsk(behavior, attempt)) {
    if (attempt.isOffSession) return declines.authenticationRequired
    return behavior.breaksWhenAsked ? declines.generic : 'challenge'
  }
  const isCharged = attempt.purpose === 'payment'
  return isCharged && behavior.refusesCharges ? behavior.refusesCharges : 'approved'
}

function mustAsk({ asks }: Behavior, { isOffSession, isSetUp, isAskedFor }: Attempt): boolean {
  if (asks === 'always') return true
  if (asks === 'unless_set_up') return !isOffSession || !isSetUp
  if (asks === 'in_person') return !isOffSession
  return asks === 'on_request' && isAskedFor && !isOffSession
}
