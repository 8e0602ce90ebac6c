import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { useConfirmRenewal } from './subscriptions.data.ts'
import classes from './subscriptions.module.css'

/** A change at PayPal waits for the Owner's confirmation there (001 §7). */
export function ConfirmRenewalButton({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { locale } = usePage()
  const problemText = useProblemText()
  const confirm = useConfirmRenewal()
  if (subscription.paypalRenewConfirm === 0 || !maySell(locale)) return null

  return (
    <Button
      size="xs"
      className={classes.manage ?? ''}
      // Until the page is left.
      loading={confirm.isPending || confirm.isSuccess}
      onClick={() =>
        confirm.mutate(subscription.stripeSubscriptionId, {
          onSuccess: ({ approveLink }) => window.location.assign(approveLink),
          onError: (problem) => showFailure(problemText(problem)),
        })
      }
    >
      {t('confirmRenewal')}
    </Button>
  )
}
