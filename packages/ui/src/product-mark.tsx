import classes from './product-mark.module.css'

interface Props {
  name: string
  /** A `data:` address; empty: a letter is drawn. */
  icon: string
  /** `small` beside a word, `medium` beside two lines of text. */
  size?: 'small' | 'medium' | 'large'
}

/** The vendor's picture of a product, or its first letter. Decoration: the name stands beside it. */
export function ProductMark({ name, icon, size = 'large' }: Props) {
  if (icon !== '') return <img src={icon} alt="" className={classes.mark} data-size={size} />
  const [letter] = new Intl.Segmenter().segment(name.trim())
  return (
    <span className={classes.mark} data-size={size} data-letter aria-hidden="true">
      {letter?.segment.toLocaleUpperCase()}
    </span>
  )
}
