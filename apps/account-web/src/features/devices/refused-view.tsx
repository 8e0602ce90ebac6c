import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DeadEnd } from '@atrium/ui/dead-end.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Problems of an address that does not exist for this member. */
const refusals = ['not_found', 'not_holder', 'invalid']

interface Props {
  /** Of the view's first request. */
  problem: Error | null
  onBack(): void
  children: ReactNode
}

/** A child view, or a way back if its address does not exist for this member. */
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
