import { CallProblem } from '@atrium/ui/call-problem.ts'

/** Why the card provider does not answer: without a connection that is not its fault. */
export function providerAway(): CallProblem {
  return new CallProblem(navigator.onLine ? 'card_provider_unavailable' : 'offline')
}
