import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DeadEnd } from '@atrium/ui/dead-end.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What an address may name that is nobody's, or not the reader's. */
const refusals = ['not_found', 'not_holder', 'invalid']

interface Props {
  /** Of the view's first request. */
  problem: Error | null
  onBack(): void
  children: ReactNode
}

/** A view beneath another one, or, where its address names nothing of the reader's, the way back. */
export function RefusedView({ problem, onBack, children }: Props) {
  const { t } = useTranslation('devices')
  if (!(problem instanceof CallProblem) || !refusals.includes(problem.code)) return children

  return (
    <DeadEnd
      sentence={t(problem.code === 'not_holder' ? 'notHolder' : 'notFound')}
      backLabel={t('back')}
      onBack={onBack}
    />
  )
}
