import type { FastifyInstance } from 'fastify'
import type { SandboxConfig } from '../../config.ts'
import { type Html, html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { companies, placeAt } from './places.ts'

/** Pages that stand in for the vendor's other sites. Each shows the requested address, and links back. */
export function elsewhereRoutes(app: FastifyInstance, config: Pick<SandboxConfig, 'PUBLIC_URL' | 'BRAND_NAME'>): void {
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
${requestedAddress(address)}`,
        })
      })
    }
  }
}

function requestedAddress(address: URL): Html {
  const parameters = [...address.searchParams]
  return html`<div class="scroll"><table><tbody>
<tr><th scope="row">Path</th><td><code>${readable(address.pathname)}</code></td></tr>
${parameters.map(([name, value]) => html`<tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`)}
</tbody></table></div>
${parameters.length === 0 && html`<p class="lead">It was given no parameters.</p>`}`
}

function accountAddress(publicUrl: string, localePrefix: string): string {
  return localePrefix === '' ? `${publicUrl}/account` : `${publicUrl}/${localePrefix}/account`
}

/** The decoded path; an invalid one stays encoded. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
