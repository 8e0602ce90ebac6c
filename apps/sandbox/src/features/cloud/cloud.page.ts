import { html } from '../../page/html.ts'
import type { Region, Visit } from './cloud.rules.ts'
import type { Person } from './validate.ts'

const regionNames: Readonly<Record<Region, string>> = {
  us: 'United States',
  eu: 'European Union',
  ca: 'Canada',
  au: 'Australia',
}

const headOf = ({ brandName, region }: Visit) => ({
  title: `${brandName} Cloud – ${regionNames[region]}`,
  standsFor: 'the cloud service',
})

const backLink = ({ back }: Visit, className = '') =>
  html`<p><a class="${className}" href="${back}">Back to my account</a></p>`

export function greeting(visit: Visit, { name, email }: Person) {
  const { enterpriseId, region } = visit
  return {
    ...headOf(visit),
    content: html`
<p class="lead">Welcome, ${name}.</p>
${backLink(visit, 'button')}
<div class="scroll"><table><tbody>
<tr><th scope="row">Signed in as</th><td>${email}</td></tr>
<tr><th scope="row">Working for</th><td>${enterpriseId ? html`the enterprise <code>${enterpriseId}</code>` : 'yourself'}</td></tr>
<tr><th scope="row">Data region</th><td>${regionNames[region]}</td></tr>
</tbody></table></div>`,
  }
}

export function signedOut(visit: Visit) {
  return {
    ...headOf(visit),
    content: html`
<p class="lead">You are not signed in here. Sign in to open your documents.</p>
<p><a class="button" href="${signInAddress(visit)}">Sign in</a></p>
${backLink(visit)}`,
  }
}

export function refused(visit: Visit, code: string) {
  return {
    ...headOf(visit),
    content: html`
<p class="lead">${sentences[code] ?? 'You could not be signed in. Open the cloud service from your account again.'}</p>
<p><a class="button" href="${signInAddress(visit)}">Sign in</a></p>
${backLink(visit)}`,
  }
}

const sentences: Readonly<Record<string, string>> = {
  INVALID_TICKET:
    'This address has been used or has expired. It signs in once. Open the cloud service from your account again.',
  INVALID_SERVICE: 'This address is for another data region. Open the cloud service from your account again.',
  UNREACHABLE: 'The single sign-on does not answer, so you could not be signed in. Try again in a moment.',
}

function signInAddress({ signInUrl, service }: Visit): string {
  return `${signInUrl}/cas/login?${new URLSearchParams({ service })}`
}
