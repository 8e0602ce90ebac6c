import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface Props {
  /** The subject of the drawing. */
  picture: 'papers' | 'shield' | 'devices' | 'place' | 'card'
  title?: string
  /** Why it is empty. */
  sentence: string
  /** The next step. */
  action?: ReactNode
}

const pictures = {
  papers: 'M34 22h34l14 14v46H34zM68 22v14h14M44 50h28M44 60h28M44 70h16M26 32v58h44',
  shield: 'M58 20l28 10v22c0 18-12 30-28 36-16-6-28-18-28-36V30zM46 54l9 9 16-18',
  devices: 'M22 30h56v36H22zM14 74h56M84 44h18v40H84zM90 78h6',
  card: 'M22 34h76v48H22zM22 48h76M22 54h76M32 70h18M78 70h10',
  place:
    'M58 84C48 68 38 58 38 44a20 20 0 0 1 40 0c0 14-10 24-20 40zM51 44a7 7 0 1 0 14 0a7 7 0 1 0-14 0M34 70l-14 4v14l19-5 19 5 19-5 19 5V74l-14-4',
} as const

/** The card of an empty list: a small drawing, a sentence that says why, and the next step. */
export function EmptyState({ picture, title, sentence, action }: Props) {
  return (
    <div className={classes.empty}>
      <svg viewBox="0 0 116 104" width="116" height="104" className={classes.picture} aria-hidden="true">
        <ellipse cx="58" cy="96" rx="40" ry="3" className={classes.ground} />
        <path d={pictures[picture]} />
      </svg>
      {title && <h2>{title}</h2>}
      <p>{sentence}</p>
      {action}
    </div>
  )
}
