import { Failure } from '@atrium/ui/failure.tsx'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { recover } from './recover.ts'
import classes from './section-boundary.module.css'

interface Props {
  /** Of a whole screen, which then has its title also when it failed. */
  title?: string
  /** The specification's own sentence for this failure, where it has one. */
  sentence?: string
  /** The shape of what is coming. */
  skeleton: ReactNode
  /** Stands beneath the failure. */
  beneathFailure?: ReactNode
  children: ReactNode
}

/** A part of the page that loads, and fails, on its own: a skeleton, then the content, or the failure with Retry. */
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
