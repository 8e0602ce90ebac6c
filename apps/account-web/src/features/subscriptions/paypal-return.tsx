import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { paypalReturnQuery } from './subscriptions.data.ts'
import { dialogAfterPaypal, PaypalReturnSearch } from './subscriptions.search.ts'

/** The customer comes back from PayPal (001 §2): what PayPal says is applied, and the address is cleaned. */
export function PaypalReturn() {
  const [{ stripe_subscription_id: id, discount_biz_type: type }] = useAddress(PaypalReturnSearch)
  return id === undefined ? null : <Checking id={id} type={type} />
}

function Checking({ id, type = '' }: { id: string; type: string | undefined }) {
  const { t } = useTranslation('subscriptions')
  const { t: common } = useTranslation('common')
  const [, changeAddress] = useAddress(PaypalReturnSearch)
  const { data: applied, isSuccess, error, isFetching, refetch } = useQuery(paypalReturnQuery(id, type))
  // What is not there, not approved or somebody else's needs no word: the list shows what is.
  const isOver = isSuccess || (error instanceof CallProblem && error.code === 'not_found')

  useEffect(() => {
    if (!isOver) return
    if (applied && type === 'renew') {
      const { appName: product, paypalRenewConfirm } = applied
      if (paypalRenewConfirm === 0) showSuccess(t('paypal.confirmed', { product }), 8000)
      else showFailure(t('paypal.notConfirmed', { product }))
    }
    const dialog = isSuccess ? dialogAfterPaypal(type) : undefined
    const next = dialog && { dialog, sid: applied?.subscriptionId ?? id }
    // In its place: going back from the dialog must not ask PayPal again.
    const cleaned = { stripe_subscription_id: undefined, discount_biz_type: undefined }
    changeAddress({ ...cleaned, ...next }, { replace: true })
  }, [isOver, isSuccess, applied, type, id, changeAddress, t])

  if (isOver) return null
  if (!error) return <Notice tone="info">{t('paypal.checking')}</Notice>
  return (
    <div role="alert">
      <Notice
        tone="warning"
        action={
          <Button variant="default" onClick={() => void refetch()}>
            {common('retry')}
          </Button>
        }
      >
        {isFetching ? t('paypal.checking') : t('paypal.unclear')}
      </Notice>
    </div>
  )
}
