import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './card-grid.module.css'
import { Skeleton } from './skeleton.tsx'
import { returnLostFocus } from './use-focus-returned.ts'

interface GridProps {
  /** What is listed, for a screen reader. */
  label: string
  children: ReactNode
}

/** Things that are few, each a card: side by side where there is room, stacked on a phone. */
export function CardGrid({ label, children }: GridProps) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {children}
    </ul>
  )
}

interface CardProps {
  title: ReactNode
  /** Stands beside the title: a state. */
  mark?: ReactNode
  /** Stands at the foot, on one line with those of its neighbors. */
  actions: ReactNode
  children: ReactNode
}

export function GridCard({ title, mark, actions, children }: CardProps) {
  return (
    <li className={classes.card} ref={useFocusKept()}>
      <div className={classes.head}>
        <div className={classes.title}>{title}</div>
        {mark && <div className={classes.mark}>{mark}</div>}
      </div>
      <div className={classes.body}>{children}</div>
      <div className={classes.actions}>{actions}</div>
    </li>
  )
}

/** A card that goes away with the focus in it, since another tab deleted it, leaves it to the page. */
function useFocusKept() {
  const card = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      if (shown?.contains(document.activeElement)) returnLostFocus(null)
    }
  }, [])
  return card
}

interface SkeletonProps {
  cards: number
  /** Lines of text in each. */
  lines: number
}

/** Uneven, as words are. */
const skeletonWidths = ['72%', '54%', '38%', '62%']

/** The shape of the grid while its cards are on their way. */
export function CardGridSkeleton({ cards, lines }: SkeletonProps) {
  return (
    <div className={classes.grid} aria-hidden="true">
      {Array.from({ length: cards }, (_, card) => card).map((card) => (
        <div key={card} className={classes.card}>
          <div className={classes.head}>
            <Skeleton width="48%" height={16} />
          </div>
          <div className={classes.body}>
            {Array.from({ length: lines }, (_, line) => line).map((line) => (
              <div key={line}>
                <Skeleton width={skeletonWidths[(line + card) % skeletonWidths.length] ?? '60%'} />
              </div>
            ))}
          </div>
          <div className={classes.actions}>
            <Skeleton width="68px" height={30} />
          </div>
        </div>
      ))}
    </div>
  )
}
