import { CallProblem } from '@atrium/ui/call-problem.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import classes from './form-failure.module.css'

interface Props {
  problem: unknown
  /** Of an expected failure, where the page knows more than the code of the problem says. */
  sentence?: string | undefined
}

/** The failure of a sent form. Only an unexpected one shows a request id to quote. */
export function FormFailure({ problem, sentence }: Props) {
  const problemText = useProblemText()
  if (problem === undefined) return null
  const isExpected = problem instanceof CallProblem && problem.status >= 400 && problem.status < 500
  if (!isExpected) return <InlineFailure problem={problem} />

  return (
    <div role="alert" className={classes.failure}>
      <Notice tone="bad">{sentence ?? problemText(problem)}</Notice>
    </div>
  )
}
