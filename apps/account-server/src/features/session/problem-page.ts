import { localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { ProblemPage } from '@atrium/server-kit/problem-replies.ts'
import type { Deps } from '../../deps.ts'
import { sendPlainPage } from '../../page/plain-page.ts'
import { chosenLocale } from './locale-choice.ts'

/** A page for a person who opened an address that leads to a problem; programs get the problem. */
export function problemPage({ config }: Pick<Deps, 'config'>): ProblemPage {
  return (request, reply, { code, status }) => {
    const locale = chosenLocale(request)
    const t = serverTexts(locale.folder, 'session')
    const isPassing = status >= 500 || status === 429
    return sendPlainPage(reply, {
      locale,
      title: config.BRAND_NAME,
      sentence: sentenceOf(code, locale.folder),
      links: [
        {
          href: localePath(locale, '/account'),
          label: isPassing ? serverTexts(locale.folder, 'common')('retry') : t('toAccount'),
        },
      ],
    })
  }
}

function sentenceOf(code: string, folder: string): string {
  if (code === 'not_found') return serverTexts(folder, 'session')('notFound')
  // Without the waiting time: the address may be opened again at any time.
  return serverTexts(folder, 'problems')(code === 'too_often' ? 'overloaded' : [code, 'unknown'])
}
