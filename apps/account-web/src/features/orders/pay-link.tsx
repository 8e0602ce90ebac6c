import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'

interface Props {
  order: OnlineOrder
  onPay(): void
}

/** Where an open order is paid: on the provider's page, which names the amount. Nothing is paid in Russian (001 §6). */
export function PayLink({ order: { payUrl, orderNumber }, onPay }: Props) {
  const { t } = useTranslation('orders')
  const { locale, support } = usePage()
  if (payUrl === '' || support || !maySell(locale)) return null

  return (
    <div>
      <Button
        component="a"
        href={payUrl}
        target="_blank"
        rel="noopener"
        size="xs"
        mt={6}
        aria-label={t('pay', { number: orderNumber })}
        onClick={onPay}
      >
        {t('payNow')}
      </Button>
    </div>
  )
}
