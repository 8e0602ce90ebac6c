import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import classes from './screen-skeleton.module.css'

interface Props {
  title: string
  lead: string
  /** Its content is a grid of cards. */
  hasGrid: boolean
}

/** The skeleton of a screen whose code is loading. */
export function ScreenSkeleton({ title, lead, hasGrid }: Props) {
  return (
    <PageFrame title={title} lead={lead}>
      {hasGrid ? (
        <div className={classes.grid}>
          <CardSkeleton lines={3} />
          <CardSkeleton lines={3} />
          <CardSkeleton lines={3} />
        </div>
      ) : (
        <CardSkeleton lines={5} />
      )}
    </PageFrame>
  )
}

/** The skeleton of a card with labels and values. */
export function CardSkeleton({ lines }: { lines: number }) {
  return (
    <div className={classes.card} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <div key={line} className={classes.line}>
          <Skeleton width="90px" />
          <Skeleton width={line % 2 === 0 ? '220px' : '160px'} />
        </div>
      ))}
    </div>
  )
}
