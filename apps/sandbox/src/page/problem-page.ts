import { english, localeByAcceptLanguage } from '@atrium/contract/locale.ts'
import { problemPageTexts } from '@atrium/locales/problem-page-texts.ts'
import type { ProblemPage } from '@atrium/server-kit/problem-replies.ts'
import type { SandboxConfig } from '../config.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'

/** A page for a person who opened an address that leads to a problem, in their language: a link of the account may have led here. */
export function problemPage({ PUBLIC_URL, BRAND_NAME }: Pick<SandboxConfig, 'PUBLIC_URL' | 'BRAND_NAME'>): ProblemPage {
  return (request, reply, problem) => {
    const locale = localeByAcceptLanguage(request.headers['accept-language']) ?? english
    const { title, explanation, onward, isPassing } = problemPageTexts(locale, problem)
    return sendPage(reply, {
      title,
      lang: locale.code,
      standsFor: `the companies around ${BRAND_NAME}`,
      content: html`
${explanation && html`<p class="lead">${explanation}</p>`}
<p><a class="button" href="${isPassing ? '' : `${PUBLIC_URL}/account`}">${onward}</a></p>`,
    })
  }
}
