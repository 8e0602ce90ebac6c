import { type Html, html } from '../../../page/html.ts'

const frame = { standsFor: 'the cardholder’s bank', isAlone: true }

interface Question {
  token: string
  /** What the cardholder authorizes: a charge of 12.50 USD, or storing the card. */
  purpose: string
  /** `Visa •••• 3155` */
  card: string
  /** Shown in a frame of the merchant's page, not instead of it. */
  isFramed: boolean
}

/** The bank's question, with two buttons. The cardholder may also just close it. */
export function questionPage({ token, purpose, card, isFramed }: Question) {
  const answer = (value: string, label: string): Html => html`<button name="answer" value="${value}">${label}</button>`
  return {
    title: 'Sandbox bank – 3-D Secure',
    ...frame,
    content: html`
<p class="lead">No bank is asked, and no money moves: choose what the cardholder does.</p>
<div class="scroll"><table><tbody>
<tr><th scope="row">Purpose</th><td>${purpose}</td></tr>
<tr><th scope="row">Card</th><td>${card}</td></tr>
</tbody></table></div>
<form class="bar" action="/cards/authenticate/${token}" method="post">
${answer('complete', 'Complete authentication')}
${answer('fail', 'Fail authentication')}
</form>
<p>${isFramed ? 'Closing this window counts as a failed authentication.' : 'Close this page to leave the question open.'}</p>`,
  }
}

/** Shown after an answer without a redirect: the page around this one reads the outcome itself. */
export function answeredPage(hasSucceeded: boolean) {
  return {
    title: hasSucceeded ? 'Authentication complete' : 'Authentication failed',
    ...frame,
    content: html`<p class="lead">Sandbox bank – 3-D Secure. You can close this page.</p>`,
  }
}

/** The question was answered, replaced, or never existed. */
export function noQuestionPage() {
  return {
    title: 'Nothing to confirm',
    ...frame,
    content: html`<p class="lead">Sandbox bank – 3-D Secure. This question was answered already, or is no longer asked.</p>`,
  }
}
