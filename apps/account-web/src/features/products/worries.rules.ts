import type { RenewalPrompt, RenewalPrompts } from '@atrium/contract/products.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'

/** What a customer should know whatever they came for, with the tabs that say it themselves. */
const saidBy = {
  past_due: ['my-products', 'my-subscriptions', 'payment-option-management'],
  card_expiring: ['my-products', 'my-subscriptions', 'payment-option-management'],
  ending: ['my-products'],
  license_ending: ['my-products'],
} as const satisfies Partial<Record<string, readonly AccountTab['name'][]>>

type Worry = keyof typeof saidBy

/** The worst comes first. Who turned auto-renewal off knows of the end. */
export function worstOf({ list }: RenewalPrompts): (RenewalPrompt & { reason: Worry }) | undefined {
  return list.filter(isWorry).find(({ isCanceled }) => isCanceled === 0)
}

export function isSaid(reason: Worry, tab: AccountTab['name']): boolean {
  return saidBy[reason].some((name) => name === tab)
}

/** Whether a tab may have something to say: most have nothing. Which cards expire is found out later. */
export function mayWorry(prompts: RenewalPrompts, tab: AccountTab['name']): boolean {
  const worst = worstOf(prompts)
  const isCardAsked = prompts.charges.length > 0 && !isSaid('card_expiring', tab)
  return isCardAsked || (worst !== undefined && !isSaid(worst.reason, tab))
}

function isWorry(prompt: RenewalPrompt): prompt is RenewalPrompt & { reason: Worry } {
  return prompt.reason in saidBy
}
