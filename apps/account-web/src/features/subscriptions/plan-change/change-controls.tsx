import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
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
        value={change.isCapped ? String(detail.maxIncrease) : typed}
        most={detail.maxIncrease}
        onChange={setTyped}
        disabled={isBusy}
      />
      {change.isCapped && <ConnectorLimit />}
    </>
  )
}

/** 001 §5: the product's sentence. More of anything else has a dialog. */
function ConnectorLimit() {
  const { t } = useTranslation('subscription-changes')
  return (
    <p className={classes.limit} role="alert">
      {t('change.connectorLimit')}
    </p>
  )
}
