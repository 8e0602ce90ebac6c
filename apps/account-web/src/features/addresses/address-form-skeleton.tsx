import { FormGrid, SkeletonField } from '@atrium/ui/form-grid.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import classes from './address-form.module.css'

const fields = ['country', 'state', 'address', 'city', 'zip'] as const

/** The skeleton of the form while countries and states load. */
export function AddressFormSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={classes.person}>
        <Skeleton width="45%" />
        <div>
          <Skeleton width="80%" />
        </div>
      </div>
      <FormGrid>
        {fields.map((field) => (
          <SkeletonField key={field} isWhole={field === 'address'} />
        ))}
      </FormGrid>
    </div>
  )
}
