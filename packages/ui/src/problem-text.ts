import { useTranslation } from 'react-i18next'
import { CallProblem } from './call-problem.ts'

/** Says in plain words what went wrong, for any error: those nobody foresaw have a sentence too. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('problems')
  return (error) => {
    // Code that did not load, or that broke: the page anew is what helps.
    if (!(error instanceof CallProblem)) return t('outdated')
    return t([error.code, 'unknown'], { count: error.retryAfter ?? 60 })
  }
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
