import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'
import { expiryOf } from '../../page/expired-card.rules.ts'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { loadTexts } from '../../page/texts.ts'
import classes from './subscriptions.module.css'

const { Dialog: PayWithDialog, preload } = loadableDialog(async () => {
  const code = import('./pay-with-dialog.tsx').then((module) => module.PayWithDialog)
  const [Dialog] = await Promise.all([code, loadTexts('cards')])
  return Dialog
})

/** What pays for a subscription of the Owner's, and how another method does. */
export function PayerElsewhere({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { locale: shown } = usePage()
  const locale = useLocale()
  const [isChanging, setChanging] = useState(false)
  const { paidFrom, payingCard } = subscription

  return (
    <p className={classes.note}>
      {joinSentences(locale, [paidWith(), ...expiry()])}{' '}
      {maySell(shown) && (
        <Button
          variant="transparent"
          size="compact-xs"
          px={0}
          onMouseEnter={preload}
          onFocus={preload}
          onClick={() => setChanging(true)}
        >
          {t('payer.other')}
        </Button>
      )}
      {isChanging && <PayWithDialog subscription={subscription} onClose={() => setChanging(false)} />}
    </p>
  )

  function paidWith(): string {
    if (!payingCard) return t(paidFrom === 'checkout' ? 'payer.checkoutUnknown' : 'payer.none')
    const card = cardName(payingCard, t('payer.card'))
    return t(paidFrom === 'checkout' ? 'payer.checkout' : 'payer.paidWith', { card })
  }

  function expiry(): string[] {
    const end = subscription.stripeCurrentPeriodEnd
    if (!payingCard || end === '' || Date.parse(end) < expiryOf({ card: payingCard })) return []
    return [t('payer.expires', { date: formatDate(locale, new Date(end), 'UTC') })]
  }
}
