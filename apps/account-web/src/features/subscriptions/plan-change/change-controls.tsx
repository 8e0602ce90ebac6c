import { Notice } from '@atrium/ui/notice.tsx'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuoteDialog } from '../../../page/use-quote-dialog.ts'
import classes from './plan-change.module.css'
import { QuantityField } from './quantity-field.tsx'
import type { ChangeProps } from './use-plan-change.ts'

/** How many more, or which plan. A year is the same for everybody. */
export function ChangeControls(props: ChangeProps) {
  if (props.name === 'annual' || props.name === 'renew') return null
  return props.name === 'upgrade' ? <Plan {...props} /> : <Quantity {...props} />
}

function Plan({ change: { detail, upgradeSelect, setUpgrade, isBusy } }: ChangeProps) {
  const { t } = useTranslation('subscription-changes')
  return (
    <NativeSelect
      label={t('change.plan')}
      value={upgradeSelect === '' ? detail.upgradeAppCode : upgradeSelect}
      onChange={({ currentTarget }) => setUpgrade(currentTarget.value)}
      data={detail.upgrades.map(({ appCode: value, appName: label }) => ({ value, label }))}
      disabled={isBusy}
    />
  )
}

/** A limit that is far away is no news. */
const namedLimit = 100

function Quantity({ name, change }: ChangeProps) {
  const { t } = useTranslation('subscription-changes')
  const { detail, typed, setTyped, isBusy } = change
  const seats = detail.storageCapacity > 0 ? 'storage' : 'seats'
  const unit = name === 'more' ? seats : 'connectors'
  const owned = { storage: detail.storageCapacity, seats: detail.userCount, connectors: detail.esignConnectors }
  const isNear = detail.maxIncrease < namedLimit
  const has = t(isNear ? 'change.has' : 'change.owned', { count: owned[unit], max: detail.maxIncrease })

  return (
    <>
      <QuantityField
        label={t(`change.quantity.${unit}`)}
        description={has}
        // What is above the most is capped (001 §5).
        value={change.isCapped ? detail.maxIncrease : typed}
        most={detail.maxIncrease}
        onChange={setTyped}
        disabled={isBusy}
      />
      {change.isCapped && (name === 'connectors' ? <ConnectorLimit /> : <VolumeDiscount change={change} />)}
    </>
  )
}

/** 001 §5: the product's sentence. */
function ConnectorLimit() {
  const { t } = useTranslation('subscription-changes')
  return (
    <p className={classes.limit} role="alert">
      {t('change.connectorLimit')}
    </p>
  )
}

/** 001 §5: more than can be bought here is a matter for sales. */
function VolumeDiscount({ change: { detail, typed } }: Pick<ChangeProps, 'change'>) {
  const { t } = useTranslation('subscription-changes')
  const [isOpen, setOpen] = useState(true)
  const quoteDialog = useQuoteDialog()
  const { appCode: productCode, stripeSubscriptionId: number } = detail
  if (!isOpen) return null

  return (
    <div className={classes.volume} role="alert">
      <Notice
        tone="info"
        action={
          <>
            <Button variant="subtle" onClick={() => setOpen(false)}>
              {t('change.volume.no')}
            </Button>
            <Button onClick={() => quoteDialog.open('volume', { productCode, seats: Number(typed), number })}>
              {t('change.volume.request')}
            </Button>
          </>
        }
      >
        {t('change.volume.sentence', { max: detail.maxIncrease })}
      </Notice>
    </div>
  )
}
