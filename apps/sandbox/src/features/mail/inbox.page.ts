import { type Html, html } from '../../page/html.ts'
import { momentOf } from './moment.page.ts'

interface Email {
  id: number
  to: string
  from: string
  subject: string
  deliveries: number
  receivedAt: Date
}

interface Inbox {
  to?: string | undefined
  page: number
  pages: number
  total: number
  list: readonly Email[]
}

export function inboxPage({ to, page, pages, total, list }: Inbox) {
  return {
    title: to ? `Inbox of ${to}` : 'Inbox',
    standsFor: 'every mailbox',
    content: html`
<p class="lead">${counted(total)} Nothing leaves this machine: all mail ends here, newest first.</p>
<div class="bar">
<form action="/mail" method="get" role="search">
<label>Recipient <input type="email" name="to" value="${to}" autocomplete="off" placeholder="ada@folio.test"></label>
<button>Show</button>
</form>
${to && html`<a class="button" href="/mail">Show all</a>`}
<a class="button" href="${inboxAddress(to, page)}">Refresh</a>
${total > 0 && deleteForm(to)}
</div>
${list.length > 0 ? table(list) : html`<p class="card">No mail yet.</p>`}
${pages > 1 && pager(to, page, pages)}`,
  }
}

function counted(total: number): string {
  return total === 1 ? '1 email.' : `${total} emails.`
}

function deleteForm(to: string | undefined): Html {
  return html`<form action="/mail/delete" method="post">
${to && html`<input type="hidden" name="to" value="${to}">`}
<button>${to ? 'Delete these' : 'Delete all'}</button>
</form>`
}

function table(list: readonly Email[]): Html {
  return html`<div class="scroll" role="region" aria-label="Emails" tabindex="0"><table>
<thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">From</th><th scope="col">Received</th></tr></thead>
<tbody>${list.map(
    (email) => html`
<tr>
<td><a href="/mail/${email.id}">${email.subject || '(no subject)'}</a>${email.deliveries > 1 && html` <span>(arrived ${email.deliveries} times)</span>`}</td>
<td><a href="${inboxAddress(email.to)}">${email.to}</a></td>
<td>${email.from}</td>
<td>${momentOf(email.receivedAt)}</td>
</tr>`,
  )}</tbody>
</table></div>`
}

function pager(to: string | undefined, page: number, pages: number): Html {
  return html`<nav class="bar" aria-label="Pages">
${page > 1 && html`<a class="button" href="${inboxAddress(to, page - 1)}">Newer</a>`}
<span>Page ${page} of ${pages}</span>
${page < pages && html`<a class="button" href="${inboxAddress(to, page + 1)}">Older</a>`}
</nav>`
}

function inboxAddress(to: string | undefined, page = 1): string {
  const query = new URLSearchParams({ ...(to && { to }), ...(page > 1 && { page: String(page) }) })
  return query.size > 0 ? `/mail?${query}` : '/mail'
}
