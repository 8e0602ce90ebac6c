import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useDownloadInvoice } from './orders.data.ts'
import classes from './orders.module.css'

/** Download Invoice (000 §2.6), labeled by what the order has: an invoice, a pro forma, or a summary. */
export function InvoiceButton({ order }: { order: OnlineOrder }) {
  const { t } = useTranslation('orders')
  const problemText = useProblemText()
  const download = useDownloadInvoice()
  const { invoiceKind, orderNumber } = order
  if (invoiceKind === 'none') return null

  return (
    <Button
      variant="default"
      className={classes.invoice ?? ''}
      leftSection={<IconFileTypePdf size={16} stroke={1.6} aria-hidden />}
      loading={download.isPending}
      aria-label={t(`invoice.${invoiceKind}.label`, { number: orderNumber })}
      onClick={() => download.mutate(order, { onError: (problem) => showFailure(problemText(problem)) })}
    >
      {t(`invoice.${invoiceKind}.action`)}
    </Button>
  )
}
