import type { ReactNode } from 'react'
import classes from './form-grid.module.css'
import { Skeleton } from './skeleton.tsx'

/** The fields of a form: two in a row, one on a phone. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>
}

/** Class of a field that takes a whole row. */
export const wholeRow = classes.whole ?? ''

interface SkeletonFieldProps {
  isWhole?: boolean
  /** Pixels. */
  height?: number
}

/** The skeleton of a field. */
export function SkeletonField({ isWhole = false, height = 36 }: SkeletonFieldProps) {
  return (
    <div className={isWhole ? wholeRow : undefined} aria-hidden="true">
      <Skeleton width="90px" />
      <Skeleton width="100%" height={height} />
    </div>
  )
}

/** For the first field of a dialog whose form is loaded later: by then the dialog has set the focus elsewhere. */
export function focusOnceShown(field: HTMLElement | null): void {
  // In a low window it would scroll the title away.
  field?.focus({ preventScroll: true })
}
