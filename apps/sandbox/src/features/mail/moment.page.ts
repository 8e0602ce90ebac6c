import { type Html, html } from '../../page/html.ts'

/** A moment as the machine's own clock shows it. */
export function momentOf(date: Date): Html {
  const words = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
  return html`<time datetime="${date.toISOString()}">${words}</time>`
}
