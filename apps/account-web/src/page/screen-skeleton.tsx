import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import classes from './screen-skeleton.module.css'

/** The skeleton of a screen whose code is loading. `hasGrid`: its content is a grid of cards. */
export function ScreenSkeleton({ title, hasGrid }: { title: string; hasGrid: boolean }) {
  return (
    <PageFrame title={title} lead={<Skeleton width="320px" />}>
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
