import { Skeleton } from '@atrium/ui/skeleton.tsx'
import classes from './card-form.module.css'

const fields = ['number', 'expiry', 'code', 'country'] as const

/** The skeleton of the provider's fields. */
export function CardFormSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {fields.map((field) => (
        <div key={field} data-field={field}>
          <Skeleton width="90px" />
          <Skeleton width="100%" height={42} />
        </div>
      ))}
    </div>
  )
}
