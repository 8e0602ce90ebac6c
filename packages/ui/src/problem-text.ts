import { Decline } from '@atrium/contract/declines.ts'
import { useTranslation } from 'react-i18next'
import { CallProblem } from './call-problem.ts'

/** A sentence for any error, expected or not. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('problems')
  return (error) => {
    // Code that failed to load or crashed: reloading the page helps.
    if (!(error instanceof CallProblem)) return t('outdated')
    // What the card provider's fields in the page say, in the customer's language (000 §8).
    if (error.code === 'card_refused' && error.detail && !error.data) return error.detail
    return t([...problemKeys(error), 'unknown'], { count: waitOf(error).count })
  }
}

/** The keys of a problem's text, the most specific first: a wait by its unit, a declined card by the reason. */
export function problemKeys(error: CallProblem): string[] {
  const { code, data } = error
  const decline = code === 'card_refused' ? Decline.safeParse(data) : undefined
  return [...(decline?.success ? [`${code}_${decline.data.reason}`] : []), `${code}${waitOf(error).unit}`, code]
}

/** Seconds in a suitable unit, rather than 71243 seconds. */
function waitOf({ retryAfter: seconds = 60 }: CallProblem): { unit: '' | '_minutes' | '_hours'; count: number } {
  if (seconds <= 120) return { unit: '', count: seconds }
  if (seconds <= 7200) return { unit: '_minutes', count: Math.ceil(seconds / 60) }
  return { unit: '_hours', count: Math.ceil(seconds / 3600) }
}

/** The sentence of a refused field, by its code. */
export function useFieldText(): (code: string) => string {
  const { t } = useTranslation('problems')
  return (code) => t([code, 'field_invalid'])
}

/** A support agent only looks: trying again never helps. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof CallProblem && error.code === 'support_read_only'
}

/** The id to quote to support, if the server sent one, for what went wrong there. A refusal says itself what to do. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallProblem && error.status >= 500 ? error.requestId : undefined
}
