import type { RenewalPrompts } from '@atrium/contract/products.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../page/cards.data.ts'
import classes from './products.module.css'
import { PromptActions } from './prompt-actions.tsx'
import { tones } from './prompt-line.ts'
import { useExpiredCards } from './use-expired-cards.ts'
import { isSaid, worstOf } from './worries.rules.ts'

interface Props {
  tab: AccountTab['name']
  prompts: RenewalPrompts
}

/** The worst that a customer should know whatever they came for: one line, above every tab that does not say it itself. */
export function WorryLine({ tab, prompts }: Props) {
  const worst = useWorst(prompts)
  if (!worst || isSaid(worst.reason, tab)) return null

  return (
    <section className={classes.worry} aria-label={worst.title}>
      <Notice tone={worst.tone} action={<PromptActions prompt={worst} />}>
        {worst.title}
      </Notice>
    </section>
  )
}

function useWorst(prompts: RenewalPrompts) {
  const { t } = useTranslation('products')
  const [expired] = useExpiredCards(prompts.charges)
  const isInTime = useAreCardsInTime()
  const worst = worstOf(prompts)
  const cardStep = undefined
  if (expired && isInTime && worst?.reason !== 'past_due') {
    const { title, charge, cardId } = expired
    const { stripeSubscriptionId: subject, appName: product } = charge
    const reason = 'card_expiring' as const
    return { subject, reason, tone: tones[reason], title, prompt: null, product, cardStep, cardId }
  }
  if (!worst) return undefined
  const { subject, reason, appName: product, remainDays: count } = worst
  const title = t(`banner.${reason}.title`, { product, count })
  return { subject, reason, tone: tones[reason], title, prompt: worst, product, cardStep }
}

/** The provider's answer can take long: a line that came after it would push the tab down. The next tab has it. */
function useAreCardsInTime(): boolean {
  const queryClient = useQueryClient()
  return useState(() => queryClient.getQueryData(cardsQuery.queryKey) !== undefined)[0]
}
