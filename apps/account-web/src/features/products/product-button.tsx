import type { MyProduct } from '@atrium/contract/products.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentButton } from '../../page/agent-button.tsx'
import { usePage } from '../../page/page-data.ts'
import type { TrialOutcome } from '../../page/use-trial-outcome.ts'
import { useConfirmPlan } from './products.data.ts'
import { cardsAddress, labelOf, looksOf, placeOf } from './products.rules.ts'

interface Props {
  product: Pick<MyProduct, 'showButtonType' | 'showButtonUrl' | 'stripeSubscriptionId' | 'trial'>
  /** Of the product, for a screen reader: many buttons have the same label. */
  name: string
  /** What a trial needs of the cards to continue; then this comes before anything else. */
  cardStep?: TrialOutcome['step'] | undefined
}

/** What to do next about a product: a dialog or place of this page, the provider's page, or the vendor's shop. */
export function ProductButton({ product, name, cardStep }: Props) {
  const { t } = useTranslation('products')
  const { support } = usePage()
  const { showButtonType: type } = product
  const url = cardStep ? cardsAddress(cardStep) : product.showButtonUrl
  const action = t(`buttons.${labelOf(product, cardStep)}`)
  const looks = { size: 'sm', ...looksOf(type), 'aria-label': t('buttons.label', { action, product: name }) } as const
  const place = placeOf(url, location.origin)
  if (support && (url === '' || place.is === 'outside')) return <AgentButton {...looks}>{action}</AgentButton>
  if (url === '') return <ConfirmButton {...looks} sid={product.stripeSubscriptionId} label={action} />

  if (place.is === 'here') {
    return (
      <Button
        {...looks}
        renderRoot={(props) => <Link {...props} to="/account" search={place.search} resetScroll={false} />}
      >
        {action}
      </Button>
    )
  }
  return (
    <Button
      {...looks}
      component="a"
      href={place.href}
      target="_blank"
      rel="noopener"
      rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
    >
      {action}
    </Button>
  )
}

type ConfirmProps = ReturnType<typeof looksOf> & { size: 'sm'; 'aria-label': string; sid: string; label: string }

/** A change at PayPal waits for the Owner's confirmation there; each confirmation has an address of its own (001 §7). */
function ConfirmButton({ sid, label, ...looks }: ConfirmProps) {
  const problemText = useProblemText()
  const confirm = useConfirmPlan()
  return (
    <Button
      {...looks}
      // Until the page is left.
      loading={confirm.isPending || confirm.isSuccess}
      onClick={() =>
        confirm.mutate(sid, {
          onSuccess: ({ approveLink }) => window.location.assign(approveLink),
          onError: (problem) => showFailure(problemText(problem)),
        })
      }
    >
      {label}
    </Button>
  )
}
