import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import classes from './screen-skeleton.module.css'

/** The skeleton of a screen whose code is loading. */
export function ScreenSkeleton({ title }: { title: string }) {
  return (
    <PageFrame title={title} lead={<Skeleton width="320px" />}>
      <CardSkeleton lines={5} />
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
