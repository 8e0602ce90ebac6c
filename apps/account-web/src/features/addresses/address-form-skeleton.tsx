import { Bone } from '@atrium/ui/bone.tsx'
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
      <div className={classes.fields}>
        {fields.map((field) => (
          <BoneField key={field} isWhole={field === 'address'} />
        ))}
      </div>
    </div>
  )
}

export function BoneField({ isWhole = false }: { isWhole?: boolean }) {
  return (
    <div className={isWhole ? classes.whole : undefined} aria-hidden="true">
      <Bone width="90px" />
      <Bone width="100%" height={36} />
    </div>
  )
}
