import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { html } from './html.ts'
import { sendPage } from './page.ts'

export async function pageRoutes(app: FastifyInstance): Promise<void> {
  const sheet = await readFile(resolve(import.meta.dirname, 'sandbox.css'), 'utf8')

  app.get('/sandbox.css', (_request, reply) =>
    reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=60' }).send(sheet),
  )

  app.get('/', (_request, reply) =>
    sendPage(reply, {
      title: 'The sandbox',
      standsFor: 'every company outside',
      content: html`
<p class="lead">Nothing here is real. These pages stand for the companies that a customer meets outside the account page.</p>
<ul class="list">
<li><a href="/mail">Inbox</a> – every email that was sent, to anyone</li>
<li><a href="/cards">Card provider</a> – customers, payments, events, and how to make it misbehave</li>
<li><a href="/paypal">PayPal</a> – subscriptions, orders, events, and how to make it misbehave</li>
<li><a href="/identity">Login providers</a> – Google, Facebook, Microsoft, LinkedIn, an education federation, Lenovo</li>
<li><a href="/clock">Business clock</a> – moves the stand-ins through months in seconds</li>
<li><a href="/site">Vendor site</a> – with its <a href="/site/shopping">shop</a> and quotes</li>
<li><a href="/support/feedback">Support site</a> – feedback and <a href="/support/tickets">tickets</a></li>
<li><a href="/admin-console">Admin console</a></li>
</ul>`,
    }),
  )
}
