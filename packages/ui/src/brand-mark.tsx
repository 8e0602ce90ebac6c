import classes from './brand-mark.module.css'

interface Props {
  name: string
  /** Only the mark; the name is for screen readers. */
  isSmall?: boolean
}

/** The vendor's mark and name. */
export function BrandMark({ name, isSmall = false }: Props) {
  return (
    <span className={classes.mark}>
      <svg
        className={classes.sign}
        viewBox="0 0 24 24"
        width="24"
        height="24"
        role={isSmall ? 'img' : 'presentation'}
        aria-label={isSmall ? name : undefined}
      >
        <path d="M5.5 2h8.3L20 8.2v12.3a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 20.5v-17A1.5 1.5 0 0 1 5.5 2Z" />
        <path d="M13.8 2 20 8.2h-4.7a1.5 1.5 0 0 1-1.5-1.5V2Z" className={classes.fold} />
        <path d="M8 13h8M8 17h5" className={classes.lines} />
      </svg>
      {!isSmall && <span>{name}</span>}
    </span>
  )
}
