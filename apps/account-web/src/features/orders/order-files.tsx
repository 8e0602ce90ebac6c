import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { IconFileZip, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { OrderArchiveCard } from './order-archive-card.tsx'
import { orderArchiveQuery, useExportOrders, useRequestOrderArchive } from './order-files.data.ts'
import classes from './order-files.module.css'
import type { OrdersFilter } from './orders.search.ts'

interface Props {
  /** Of the list: what is downloaded is what is seen. */
  filter: OrdersFilter
  statuses: Dictionary
  /** Whether any order matches. */
  hasOrders: boolean
}

/** The documents of all orders that match the filters as one ZIP, which a job makes, and the orders as a table for an accountant. */
export function OrderFiles({ filter, statuses, hasOrders }: Props) {
  const { t } = useTranslation('orders')
  const problemText = useProblemText()
  const { data } = useQuery(orderArchiveQuery)
  const request = useRequestOrderArchive()
  const csv = useExportOrders()
  const archive = data?.orderArchive

  return (
    <>
      {hasOrders && (
        <div className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconFileZip size={16} stroke={1.6} aria-hidden />}
            loading={request.isPending || archive?.file === null}
            onClick={() => request.mutate(filter)}
          >
            {t('files.download')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTable size={16} stroke={1.6} aria-hidden />}
            loading={csv.isPending}
            onClick={() => csv.mutate(filter, { onError: (problem) => showFailure(problemText(problem)) })}
          >
            {t('files.csv')}
          </Button>
        </div>
      )}
      {request.error && <InlineFailure problem={request.error} sentence={t('files.failed')} />}
      {data && <OrderArchiveCard archive={archive ?? undefined} statuses={statuses} />}
    </>
  )
}
