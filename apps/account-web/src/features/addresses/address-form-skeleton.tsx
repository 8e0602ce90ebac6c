import { Bone } from '@atrium/ui/bone.tsx'
import { BoneField, FormGrid } from '@atrium/ui/form-grid.tsx'
import classes from './address-form.module.css'

const fields = ['country', 'state', 'address', 'city', 'zip'] as const

/** The shape of the form while its countries and states are on their way. */
export function AddressFormSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={classes.person}>
        <Bone width="45%" />
        <div>
          <Bone width="80%" />
        </div>
      </div>
      <FormGrid>
        {fields.map((field) => (
          <BoneField key={field} isWhole={field === 'address'} />
        ))}
      </FormGrid>
    </div>
  )
}
