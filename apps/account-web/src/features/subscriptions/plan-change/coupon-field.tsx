import { Button, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './plan-change.module.css'
import type { ChangeProps } from './use-plan-change.ts'

/** A coupon, for those who have one. */
export function CouponField({ change: { coupon, detail, isBusy } }: Pick<ChangeProps, 'change'>) {
  const { t } = useTranslation('subscription-changes')
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')

  if (coupon.code !== '') {
    return (
      <p className={classes.coupon} role="status">
        {t('change.coupon.applied', { code: detail.quote.couponCode || coupon.code })}
        <Button variant="transparent" size="compact-sm" px={0} disabled={isBusy} onClick={coupon.remove} autoFocus>
          {t('change.coupon.remove')}
        </Button>
      </p>
    )
  }
  if (!isOpen && coupon.error === undefined) {
    return (
      <div className={classes.coupon}>
        <Button variant="transparent" size="compact-sm" px={0} disabled={isBusy} onClick={() => setOpen(true)}>
          {t('change.coupon.open')}
        </Button>
      </div>
    )
  }

  const apply = () => typed.trim() !== '' && coupon.apply(typed)
  /** Enter applies the coupon; it pays nothing. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    apply()
  }

  return (
    <div className={classes.couponField}>
      <TextInput
        label={t('change.coupon.label')}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        onKeyDown={onKeyDown}
        error={coupon.error}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        disabled={isBusy}
        autoFocus
      />
      <Button variant="default" onClick={apply} loading={coupon.isChecking} disabled={isBusy}>
        {t('change.coupon.apply')}
      </Button>
    </div>
  )
}
