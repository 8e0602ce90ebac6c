import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cardsQuery } from '../../page/cards.data.ts'
import { lacksDefault } from '../../page/default-card.rules.ts'
import { chargedByDefault } from './expiring-card.rules.ts'
import { NoDefaultNote } from './no-default-note.tsx'

/** Ahead of a renewal that none of the cards would pay. The cards are asked for only if that decides. */
export function RenewalNote({ subscription }: { subscription: Subscription }) {
  const locale = useLocale()
  const [now] = useState(() => new Date())
  const isCharged = chargedByDefault(subscription, now)
  const { data: cards } = useQuery({ ...cardsQuery, enabled: isCharged })
  if (!isCharged || !cards || !lacksDefault(cards)) return null
  const date = formatDate(locale, new Date(subscription.stripeCurrentPeriodEnd), 'UTC')
  return <NoDefaultNote cards={cards} date={date} />
}
