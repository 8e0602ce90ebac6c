import type { ReactNode } from 'react'
import classes from './form-grid.module.css'
import { Skeleton } from './skeleton.tsx'

/** The fields of a form: two beside each other, one on a phone. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>
}

/** The class of a field that has a row of its own. */
export const wholeRow = classes.whole ?? ''

interface SkeletonFieldProps {
  isWhole?: boolean
  /** Pixels. */
  height?: number
}

/** The shape of a field that is on its way. */
export function SkeletonField({ isWhole = false, height = 36 }: SkeletonFieldProps) {
  return (
    <div className={isWhole ? wholeRow : undefined} aria-hidden="true">
      <Skeleton width="90px" />
      <Skeleton width="100%" height={height} />
    </div>
  )
}

/** For the first field of a dialog's form: the dialog opens before its form is here, and by then has the focus elsewhere. */
export function focusOnceShown(field: HTMLElement | null): void {
  field?.focus()
}
