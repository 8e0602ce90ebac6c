import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../page/dictionaries.data.ts'
import { DictionaryFailure } from '../../page/dictionary-failure.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { keycodeLicensesQuery, keycodeProductsQuery } from './devices.data.ts'
import classes from './devices.module.css'
import { DevicesSearch } from './devices.search.ts'
import { useKeycodeLicenseColumns } from './keycode-license-columns.tsx'

/** Activate via Keycode: the licenses of a product, each with a link to its keys. */
export function KeycodeLicenses() {
  const { t } = useTranslation('devices')
  const address = useSearch({ strict: false })
  const [{ sku, page = 1 }, changeAddress] = useAddress(DevicesSearch)
  const products = useQuery(keycodeProductsQuery)
  const { data, isPlaceholderData } = useQuery(keycodeLicensesQuery(sku, page))
  const statuses = useDictionary('license-status')
  const columns = useKeycodeLicenseColumns({ sku: data?.sku ?? '', statuses })

  if (!products.data && products.error) {
    return <Failure problem={products.error} onRetry={() => void products.refetch()} isRetrying={products.isFetching} />
  }
  // The address may name a product without licenses, or without them any more.
  if (data && !isPlaceholderData && sku && data.sku !== sku) {
    return <Navigate to="/account" search={{ ...address, sku: undefined, page: undefined }} replace />
  }
  return (
    <>
      <DictionaryFailure dictionary={statuses} />
      {products.data?.list.length !== 0 && (
        <NativeSelect
          label={t('keycode.product')}
          className={classes.product ?? ''}
          data={products.data?.list.map((product) => ({ value: product.sku, label: product.name })) ?? []}
          value={sku ?? data?.sku ?? ''}
          onChange={(event) => changeAddress({ sku: event.currentTarget.value, page: undefined })}
          disabled={!products.data}
        />
      )}
      <PagedList
        label={t('keycode.list')}
        columns={columns}
        rowKey={(license) => license.licenseId}
        query={(wanted) => keycodeLicensesQuery(sku, wanted)}
        read={(reply) => ({
          rows: reply.licenses[reply.sku]?.list ?? [],
          total: reply.licenses[reply.sku]?.totalLicenseIdNum ?? 0,
        })}
        empty={<EmptyState picture="devices" sentence={t('keycode.empty')} />}
      />
    </>
  )
}
