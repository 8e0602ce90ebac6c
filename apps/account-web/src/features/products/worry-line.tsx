import type { RenewalPrompt, RenewalReason } from '@atrium/contract/products.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import classes from './products.module.css'
import { PromptActions } from './prompt-actions.tsx'
import { type Shown, usePrompts } from './use-prompts.ts'

/** Worst first, with the tabs that say it themselves. */
const worries: readonly { reason: RenewalReason; saidBy: readonly AccountTab['name'][] }[] = [
  { reason: 'past_due', saidBy: ['my-products', 'my-subscriptions', 'payment-option-management'] },
  { reason: 'card_expiring', saidBy: ['my-products', 'my-subscriptions', 'payment-option-management'] },
  { reason: 'ending', saidBy: ['my-products'] },
  { reason: 'license_ending', saidBy: ['my-products'] },
]

/** The worst that a customer should know whatever they came for: one line, above every tab that does not say it itself. */
export function WorryLine({ tab }: { tab: AccountTab['name'] }) {
  const worst = worstOf(usePrompts(isWorry).shown)
  if (!worst || worst.saidBy.includes(tab)) return null

  const { shown } = worst
  return (
    <section className={classes.worry} aria-label={shown.title}>
      <Notice tone={shown.tone} action={<PromptActions prompt={shown} />}>
        {shown.title}
      </Notice>
    </section>
  )
}

/** Who turned auto-renewal off knows of the end. */
function isWorry({ reason, isCanceled }: RenewalPrompt): boolean {
  return isCanceled === 0 && worries.some((worry) => worry.reason === reason)
}

function worstOf(prompts: readonly Shown[]) {
  for (const { reason, saidBy } of worries) {
    const shown = prompts.find((prompt) => prompt.reason === reason)
    if (shown) return { shown, saidBy }
  }
  return undefined
}
