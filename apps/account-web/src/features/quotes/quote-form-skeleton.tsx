import { Bone } from '@atrium/ui/bone.tsx'
import classes from './quote-form.module.css'

const fields = ['productCode', 'seats', 'term', 'company', 'country', 'message'] as const
const whole = ['productCode', 'message']

/** The shape of the form while its products and countries are on their way. */
export function QuoteFormSkeleton() {
  return (
    <div aria-hidden="true">
      <p className={classes.lead}>
        <Bone width="80%" />
      </p>
      <div className={classes.fields}>
        {fields.map((field) => (
          <div key={field} className={whole.includes(field) ? classes.whole : undefined}>
            <Bone width="90px" />
            <Bone width="100%" height={field === 'message' ? 84 : 36} />
          </div>
        ))}
      </div>
    </div>
  )
}
