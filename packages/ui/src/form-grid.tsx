import type { ReactNode } from 'react'
import { Bone } from './bone.tsx'
import classes from './form-grid.module.css'

/** The fields of a form: two beside each other, one on a phone. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>
}

/** The class of a field that has a row of its own. */
export const wholeRow = classes.whole ?? ''

interface BoneFieldProps {
  isWhole?: boolean
  /** Pixels. */
  height?: number
}

/** The shape of a field that is on its way. */
export function BoneField({ isWhole = false, height = 36 }: BoneFieldProps) {
  return (
    <div className={isWhole ? wholeRow : undefined} aria-hidden="true">
      <Bone width="90px" />
      <Bone width="100%" height={height} />
    </div>
  )
}

/** For the first field of a dialog's form: the dialog opens before its form is here, and by then has the focus elsewhere. */
export function focusOnceShown(field: HTMLElement | null): void {
  field?.focus()
}
