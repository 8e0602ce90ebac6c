import { type Html, html } from '../../page/html.ts'

/** The address with which a page was called, with its parameters. @param url path and query */
export function calledAs(url: string): Html {
  const address = new URL(url, 'http://sandbox')
  const parameters = [...address.searchParams]
  return html`<div class="scroll"><table><tbody>
<tr><th scope="row">Path</th><td><code>${readable(address.pathname)}</code></td></tr>
${parameters.map(([name, value]) => html`<tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`)}
</tbody></table></div>
${parameters.length === 0 && html`<p class="lead">It was given no parameters.</p>`}`
}

/** The account area in a language. */
export function accountAddress(publicUrl: string, localePrefix: string): string {
  return localePrefix === '' ? `${publicUrl}/account` : `${publicUrl}/${localePrefix}/account`
}

/** The decoded path; an invalid one stays encoded. */
export function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
