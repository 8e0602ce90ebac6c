import classes from './bone.module.css'

interface Props {
  /** CSS length. */
  width: string
  height?: number
}

/** A grey bar where text will stand: skeletons are made of these, in the shape of what is coming. */
export function Bone({ width, height = 14 }: Props) {
  return <span className={classes.bone} style={{ width, height }} />
}
