import { useTranslation } from 'react-i18next'
import { CallProblem } from './call-problem.ts'

/** Says in plain words what went wrong, for any error: those nobody foresaw have a sentence too. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('problems')
  return (error) => {
    // Code that did not load, or that broke: the page anew is what helps.
    if (!(error instanceof CallProblem)) return t('outdated')
    // The card provider speaks for itself (000 §8).
    if (error.code === 'card_refused' && error.detail) return error.detail
    const { unit, count } = waitOf(error.retryAfter ?? 60)
    return t([`${error.code}${unit}`, error.code, 'unknown'], { count })
  }
}

/** Seconds in the unit that a person would say: nobody waits for 71243 seconds. */
function waitOf(seconds: number): { unit: '' | '_minutes' | '_hours'; count: number } {
  if (seconds <= 120) return { unit: '', count: seconds }
  if (seconds <= 7200) return { unit: '_minutes', count: Math.ceil(seconds / 60) }
  return { unit: '_hours', count: Math.ceil(seconds / 3600) }
}

/** The sentence of a refused field, by its code. */
export function useFieldText(): (code: string) => string {
  const { t } = useTranslation('problems')
  return (code) => t([code, 'field_invalid'])
}

/** The id to quote to support, where the server gave one. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallProblem ? error.requestId : undefined
}
