import { maxAddresses } from '@atrium/contract/addresses.ts'
import { CardGridSkeleton } from '@atrium/ui/card-grid.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { prefetch } from '../../api/query-client.ts'
import { addressesQuery } from '../../page/addresses.data.ts'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { usePage } from '../../page/page-data.ts'
import type { OpenDialog } from './address-dialogs.tsx'
import { AddressList } from './address-list.tsx'
import { addressFormQuery } from './addresses.data.ts'
import { NoAddresses } from './no-addresses.tsx'

const { Dialog: AddressDialogs, preload: preloadDialogs } = loadableDialog(
  async () => (await import('./address-dialogs.tsx')).AddressDialogs,
)

/** 000 §2.4. */
export function BillingAddressManagementScreen() {
  const { t } = useTranslation('addresses')
  const { t: frame } = useTranslation('frame')
  const { data, error, refetch, isFetching } = useQuery(addressesQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const preload = usePreload()
  const list = data?.list

  function add(known: number) {
    setDialog(known >= maxAddresses ? { name: 'limit' } : { name: 'add', isFirst: known === 0 })
  }

  const addButton = list && (
    <Button
      leftSection={<IconPlus size={16} stroke={1.8} aria-hidden />}
      onClick={() => add(list.length)}
      onMouseEnter={() => preload()}
      onFocus={() => preload()}
    >
      {t('add')}
    </Button>
  )

  return (
    <PageFrame
      title={frame('tabs.billing-address-management')}
      count={list?.length}
      lead={frame('leads.billing-address-management')}
      // An empty list has its own button.
      action={list && list.length > 0 && addButton}
    >
      {!list && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!list && !error && <CardGridSkeleton cards={3} lines={4} />}
      {list?.length === 0 && <NoAddresses action={addButton} />}
      {list && list.length > 0 && <AddressList list={list} onOpen={setDialog} onPreload={preload} />}
      {dialog && <AddressDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}
    </PageFrame>
  )
}

/** Loads a dialog's code and the states of its country on hover or focus. */
function usePreload() {
  const queryClient = useQueryClient()
  const { locale } = usePage()
  return (country?: string) => {
    preloadDialogs()
    void prefetch(queryClient, addressFormQuery(locale.code, country))
  }
}
