import classes from './skeleton.module.css'

interface Props {
  /** CSS length. */
  width: string
  height?: number
}

/** A grey bar in place of text; skeletons consist of these. */
export function Skeleton({ width, height = 14 }: Props) {
  return <span className={classes.skeleton} style={{ width, height }} />
}
