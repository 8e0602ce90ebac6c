import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './card-grid.module.css'
import { Skeleton } from './skeleton.tsx'
import { returnLostFocus } from './use-return-focus.ts'

interface GridProps {
  /** Name of the list, for a screen reader. */
  label: string
  children: ReactNode
}

/** A short list of cards: side by side if there is room, stacked on a phone. */
export function CardGrid({ label, children }: GridProps) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {children}
    </ul>
  )
}

interface CardProps {
  title: ReactNode
  /** A state, next to the title. */
  mark?: ReactNode
  /** At the foot, aligned with those of neighboring cards. */
  actions: ReactNode
  children: ReactNode
}

export function GridCard({ title, mark, actions, children }: CardProps) {
  return (
    <li className={classes.card} ref={useReturnFocusOnUnmount()}>
      <div className={classes.head}>
        <div className={classes.title}>{title}</div>
        {mark && <div className={classes.mark}>{mark}</div>}
      </div>
      <div className={classes.body}>{children}</div>
      <div className={classes.actions}>{actions}</div>
    </li>
  )
}

/** Moves the focus to the page when the card unmounts with it, for instance because another tab deleted it. */
function useReturnFocusOnUnmount() {
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
  /** Lines of text per card. */
  lines: number
}

/** Uneven, like words. */
const skeletonWidths = ['72%', '54%', '38%', '62%']

/** The skeleton of the grid while its cards load. */
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
