import type { Locale } from '@atrium/contract/locale.ts'
import { serverTexts } from './server-texts.ts'

interface ProblemPageTexts {
  title: string
  explanation?: string
  /** The label of the link to the customer's account; where opening the address again may help, of the link that does. */
  onward: string
  /** The address may be opened again in a moment. */
  isPassing: boolean
}

/** What a page says to a person who opened an address that answers with a problem, the same in every program. */
export function problemPageTexts(
  { folder }: Locale,
  { code, status }: { code: string; status: number },
): ProblemPageTexts {
  const t = serverTexts(folder, 'sso')
  const isPassing = status >= 500 || status === 429
  const onward = t(isPassing ? 'unavailable.retry' : 'notFound.account')
  if (code === 'not_found') {
    return { title: t('notFound.title'), explanation: t('notFound.text'), onward, isPassing }
  }
  // Without the waiting time: the address may be opened again at any time.
  const title = serverTexts(folder, 'problems')(code === 'too_often' ? 'overloaded' : [code, 'unknown'])
  return { title, onward, isPassing }
}
