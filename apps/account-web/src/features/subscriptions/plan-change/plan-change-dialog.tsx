import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../../page/loadable-dialog.tsx'
import { AddPayingCard } from './card-choice.tsx'
import { PaymentProcessing } from './payment-processing.tsx'
import classes from './plan-change.module.css'
import type { ChangeName } from './plan-change.rules.ts'
import { PlanChangeForm } from './plan-change-form.tsx'
import { RefusedChange } from './refused-change.tsx'
import { usePlanChange } from './use-plan-change.ts'
import { VolumeDiscountDialog } from './volume-discount-dialog.tsx'

const { Dialog: ChangeSuccess, preload: preloadSuccess } = loadableDialog(
  async () => (await import('./change-success.tsx')).ChangeSuccess,
)

const { Dialog: PaypalStep, preload: preloadPaypalStep } = loadableDialog(
  async () => (await import('./paypal-step.tsx')).PaypalStep,
)

interface Props {
  sid: string
  name: ChangeName
  /** How many more it begins with. */
  initialQuantity: number
  /** Connectors need envelope sharing first (001 §4). */
  onShare(): void
  onClose(): void
}

/** A change of what is subscribed to: exactly what it costs, before it is charged (001 §2). */
export function PlanChangeDialog({ sid, name, initialQuantity, onShare, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const change = usePlanChange({ sid, name, initialQuantity })
  const { detail, purchase, problem, mayClose, isPaying } = change
  const isStorage = (detail?.storageCapacity ?? 0) > 0
  const title = name === 'more' && isStorage ? 'storage' : name

  if (purchase?.paymentIntentStatus === 'succeeded') {
    return <ChangeSuccess purchase={purchase} onClose={onClose} />
  }
  if (purchase?.paymentIntentStatus === 'processing') return <PaymentProcessing onClose={onClose} />
  if (detail && change.ordered) {
    return <PaypalStep change={{ ...change, detail }} ordered={change.ordered} onClose={onClose} />
  }
  if (detail && change.isCapped && name !== 'connectors') return <VolumeDiscountDialog change={{ ...change, detail }} />
  if (detail && change.isAddingCard) return <AddPayingCard change={{ ...change, detail }} />
  return (
    <DialogFrame
      title={detail ? t(`change.titles.${title}`, { product: detail.appName }) : t('change.waiting')}
      onClose={onClose}
      busy={!mayClose}
      isForm
      width={560}
    >
      {detail && (
        <PlanChangeForm
          name={name}
          change={{ ...change, detail }}
          onIntent={detail.payType === 'paypal' ? preloadPaypalStep : preloadSuccess}
          onClose={onClose}
        />
      )}
      {!detail && problem && !isPaying && (
        <RefusedChange sid={sid} change={change} problem={problem} onShare={onShare} onClose={onClose} />
      )}
      {!detail && (!problem || isPaying) && <Waiting />}
    </DialogFrame>
  )
}

function Waiting() {
  return (
    <div className={classes.waiting} aria-hidden>
      <Skeleton width="100%" height={56} />
      <Skeleton width="100%" height={88} />
      <Skeleton width="100%" height={140} />
    </div>
  )
}
