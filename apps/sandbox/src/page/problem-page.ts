import { english } from '@atrium/contract/locale.ts'
import { problemPageTexts } from '@atrium/locales/problem-page-texts.ts'
import type { ProblemPage } from '@atrium/server-kit/problem-replies.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'

/** A page for a person who opened an address that leads to a problem, in English as the whole sandbox. */
export function problemPage({ PUBLIC_URL, BRAND_NAME }: { PUBLIC_URL: string; BRAND_NAME: string }): ProblemPage {
  return (_request, reply, problem) => {
    const { title, explanation, onward, isPassing } = problemPageTexts(english, problem)
    return sendPage(reply, {
      title,
      standsFor: `the companies around ${BRAND_NAME}`,
      content: html`
${explanation && html`<p class="lead">${explanation}</p>`}
<p><a class="button" href="${isPassing ? '' : `${PUBLIC_URL}/account`}">${onward}</a></p>`,
    })
  }
}
