import type { FastifyInstance } from 'fastify'
import { html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { accountAddress, calledAs, readable } from './called-as.ts'
import { companies, placeAt } from './places.ts'

/** Pages that stand in for the vendor's other sites. Each shows the requested address, and links back. */
export function elsewhereRoutes(app: FastifyInstance, config: { PUBLIC_URL: string; BRAND_NAME: string }): void {
  for (const company of companies) {
    for (const path of [company.below, `${company.below}/*`]) {
      app.get(path, (request, reply) => {
        const address = new URL(request.url, config.PUBLIC_URL)
        const { place, localePrefix } = placeAt(company, readable(address.pathname).slice(company.below.length))
        return sendPage(reply, {
          title: `${config.BRAND_NAME} – ${place.title}`,
          standsFor: company.standsFor,
          content: html`
<p class="lead">${place.sentence}</p>
<p><a class="button" href="${accountAddress(config.PUBLIC_URL, localePrefix)}">My account</a></p>
<h2>How this page was called</h2>
${calledAs(request.url)}`,
        })
      })
    }
  }
}
