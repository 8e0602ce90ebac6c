import classes from './skeleton.module.css'

interface Props {
  /** CSS length. */
  width: string
  height?: number
}

/** A grey bar where text will stand: skeletons are made of these, in the shape of what is coming. */
export function Skeleton({ width, height = 14 }: Props) {
  return <span className={classes.skeleton} style={{ width, height }} />
}
