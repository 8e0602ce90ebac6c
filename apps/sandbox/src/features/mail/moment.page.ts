import { type Html, html } from '../../page/html.ts'

/** In the machine's time zone. */
export function momentOf(date: Date): Html {
  const words = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
  return html`<time datetime="${date.toISOString()}">${words}</time>`
}
