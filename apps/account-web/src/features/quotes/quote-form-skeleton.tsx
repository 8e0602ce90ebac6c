import { FormGrid, SkeletonField } from '@atrium/ui/form-grid.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import classes from './quote-form.module.css'

const fields = ['productCode', 'seats', 'term', 'company', 'country', 'message'] as const
const whole = ['productCode', 'message']

/** The skeleton of the form while products and countries load. */
export function QuoteFormSkeleton() {
  return (
    <div aria-hidden="true">
      <p className={classes.lead}>
        <Skeleton width="80%" />
      </p>
      <FormGrid>
        {fields.map((field) => (
          <SkeletonField key={field} isWhole={whole.includes(field)} height={field === 'message' ? 84 : 36} />
        ))}
      </FormGrid>
    </div>
  )
}
