import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'
import { cardsQuery } from '../../page/cards.data.ts'
import { chargedSoon, chargedTooLate } from './expiring-card.rules.ts'

/** A card that will have expired before it is charged. The cards are asked for only if something is charged soon. */
export function ExpiringCardNotice({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const [now] = useState(() => new Date())
  const soon = chargedSoon(subscriptions, now)
  const { data } = useQuery({ ...cardsQuery, enabled: soon.length > 0 })
  const [first, ...others] = data ? chargedTooLate(soon, data) : []
  if (!first) return null

  const { expMonth, expYear } = first.card.card
  const card = cardName(first.card.card)
  const month = `${String(expMonth).padStart(2, '0')}/${expYear}`
  const { appName: product, stripeCurrentPeriodEnd } = first.subscription
  const date = formatDate(locale, new Date(stripeCurrentPeriodEnd), 'UTC')
  const sentences = [
    t('expiring.charge', { product, date }),
    ...(others.length > 0 ? [t('expiring.others', { count: others.length })] : []),
    t('expiring.next'),
  ]

  return (
    <Notice
      tone="warning"
      title={first.card.isExpired ? t('expiring.expired', { card }) : t('expiring.title', { card, month })}
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/account"
              search={{ tab: 'payment-option-management', dialog: 'replace', card: first.card.id }}
            />
          )}
        >
          {t('due.update')}
        </Button>
      }
    >
      {joinSentences(locale, sentences)}
    </Notice>
  )
}
