import { type ReactNode, useEffect } from 'react'
import classes from './card.module.css'
import { usePageData } from './page-data.ts'

interface Props {
  title: string
  lead?: string
  /** Links below the card. */
  below?: ReactNode
  /** Focuses the title, for a card that replaces a form after it was sent. */
  isAnswer?: boolean
  children?: ReactNode
}

/** The card of a page. Its title is the page's title. */
export function Card({ title, lead, below, isAnswer = false, children }: Props) {
  const { brandName } = usePageData()
  useEffect(() => {
    document.title = `${title} – ${brandName}`
  }, [title, brandName])

  return (
    <div className={classes.place}>
      <section className={classes.card} aria-labelledby="title">
        <h1 id="title" className={classes.title} tabIndex={-1} ref={isAnswer ? focus : null}>
          {title}
        </h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </section>
      {below && <p className={classes.below}>{below}</p>}
    </div>
  )
}

function focus(element: HTMLElement | null) {
  element?.focus()
}
