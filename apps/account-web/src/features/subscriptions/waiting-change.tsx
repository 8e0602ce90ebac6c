import type { OpenChange } from '@atrium/contract/open-changes.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { DropChangeButton } from './drop-change-button.tsx'
import { PayButton, useDueAmount } from './pay-button.tsx'
import { type ChangeName, changeNames } from './plan-change/plan-change.rules.ts'
import { useOpenChangeText } from './use-open-change-text.ts'

interface Props {
  subscription: Subscription
  isWatching: boolean
  onPay(): void
}

interface WaitingProps extends Props {
  /** What it is called among the others of the list. */
  name: string
  onDropped(): void
}

/**
 * A change that was left before the bank's question was answered, or the payment approved at PayPal: nothing was charged, and it can be
 * continued or dropped. Of a payment that is no change only the amount is known.
 */
export function WaitingChange({ subscription, name: product, isWatching, onPay, onDropped }: WaitingProps) {
  const { t } = useTranslation('subscriptions')
  const { locale: shown } = usePage()
  const locale = useLocale()
  const nameOf = useOpenChangeText()
  const due = useDueAmount(subscription)
  const { openChange, payType, stripeSubscriptionId: sid } = subscription
  const isAtPaypal = payType === 'paypal'
  if (isAtPaypal && !maySell(shown)) return null
  const amount = due ? [t('due.amount', { amount: due })] : []
  const sentences = [...(openChange ? [nameOf(openChange)] : amount), t(isAtPaypal ? 'due.atPaypal' : 'due.bank')]

  return (
    <Notice
      tone="warning"
      title={t('due.waiting', { product })}
      action={
        <>
          {openChange && maySell(shown) && <DropChangeButton {...{ sid, product, onDropped }} gapAfter={8} />}
          <Continue subscription={subscription} isWatching={isWatching} onPay={onPay} />
        </>
      }
    >
      {joinSentences(locale, sentences)}
      <div aria-live="polite">{isWatching && t('due.checking')}</div>
    </Notice>
  )
}

/** Once it is over, its dialog offers the same change again. */
function dialogOf(openChange: OpenChange | undefined): ChangeName {
  return openChange && openChange.type !== 'other' ? changeNames[openChange.type] : 'renew'
}

/** On the invoice's page, or, where there is none, in the dialog. */
function Continue({ subscription, isWatching, onPay }: Props) {
  const { t } = useTranslation('subscriptions')
  const { locale } = usePage()
  const { payType, stripeSdkUrl, stripeSubscriptionId: sid, openChange } = subscription
  if (payType !== 'paypal' && stripeSdkUrl !== '') {
    return <PayButton subscription={subscription} isWatching={isWatching} onPay={onPay} />
  }
  if (!maySell(locale)) return null
  const dialog = payType === 'paypal' ? 'ordered' : dialogOf(openChange)
  const quantity = openChange && openChange.increasedNumber > 0 ? openChange.increasedNumber : undefined
  return (
    <Button
      renderRoot={(props) => (
        <Link
          {...props}
          to="/account"
          search={{ tab: 'my-subscriptions', dialog, sid, quantity }}
          resetScroll={false}
        />
      )}
    >
      {t('openChange.continue')}
    </Button>
  )
}
