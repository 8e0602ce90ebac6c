import { useTranslation } from 'react-i18next'
import { CallProblem } from './call-problem.ts'

/** A sentence for any error, expected or not. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('problems')
  return (error) => {
    // Code that failed to load or crashed: reloading the page helps.
    if (!(error instanceof CallProblem)) return t('outdated')
    // The card provider's sentence (000 §8).
    if (error.code === 'card_refused' && error.detail) return error.detail
    const { unit, count } = waitOf(error.retryAfter ?? 60)
    return t([`${error.code}${unit}`, error.code, 'unknown'], { count })
  }
}

/** Seconds in a suitable unit, rather than 71243 seconds. */
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

/** The id to quote to support, if the server sent one. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CallProblem ? error.requestId : undefined
}
