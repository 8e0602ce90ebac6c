import { localePath } from '@atrium/contract/locale.ts'
import { problemPageTexts } from '@atrium/locales/problem-page-texts.ts'
import type { ProblemPage } from '@atrium/server-kit/problem-replies.ts'
import type { Deps } from '../../deps.ts'
import { sendPlainPage } from '../../page/plain-page.ts'
import { chosenLocale } from './locale-choice.ts'
import { pageSettings } from './page-settings.rules.ts'

/** A page for a person who opened an address that leads to a problem; programs get the problem. */
export function problemPage({ config }: Pick<Deps, 'config'>): ProblemPage {
  return (request, reply, problem) => {
    const locale = chosenLocale(request)
    const { title: sentence, explanation, onward } = problemPageTexts(locale, problem)
    return sendPlainPage(reply, {
      locale,
      brand: pageSettings(config),
      sentence,
      ...(explanation && { explanation }),
      links: [{ href: localePath(locale, '/account'), label: onward }],
    })
  }
}
