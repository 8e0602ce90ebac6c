import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Failure } from '@atrium/ui/failure.tsx'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useWindowEvent } from '@mantine/hooks'
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { recover } from './recover.ts'
import classes from './section-boundary.module.css'

interface Props {
  /** Of a whole screen, which shows its title even after a failure. */
  title?: string
  /** The specification's sentence for this failure, if it has one. */
  sentence?: string
  /** Shown while loading. */
  skeleton: ReactNode
  /** Shown below the failure. */
  beneathFailure?: ReactNode
  children: ReactNode
}

/** A part of the page that loads and fails on its own: a skeleton, then the content, or the failure with Retry. */
export function SectionBoundary({ title, sentence, skeleton, beneathFailure, children }: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <ErrorBoundary
          onReset={reset}
          failure={(problem, retry) => {
            const failure = (
              <div className={classes.failed}>
                <Failure problem={problem} sentence={sentence} onRetry={() => recover(problem, retry)} />
                <RetryOnline problem={problem} onRetry={retry} />
                {beneathFailure}
              </div>
            )
            return title ? <PageFrame title={title}>{failure}</PageFrame> : failure
          }}
        >
          <Suspense fallback={skeleton}>{children}</Suspense>
        </ErrorBoundary>
      )}
    </QueryErrorResetBoundary>
  )
}

/** What failed offline is tried again when the connection is back. */
function RetryOnline({ problem, onRetry }: { problem: unknown; onRetry(): void }) {
  useWindowEvent('online', () => {
    if (problem instanceof CallProblem) onRetry()
  })
  return null
}
