import { html } from '../../../page/html.ts'

/** Why the provider refused what a button asked for. */
export function refusedPage(message: string) {
  return {
    title: 'Refused',
    standsFor: 'the card provider',
    content: html`<p class="card" role="alert">${message}</p><p><a href="/cards">Card provider</a></p>`,
  }
}
