import type { License } from '@atrium/contract/licenses.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../api/dictionaries.data.ts'
import { PagedList } from '../../shell/paged-list.tsx'
import { useLicenseColumns } from './license-columns.tsx'
import { licensesQuery } from './licenses.data.ts'
import type { LicensesSearch } from './licenses.search.ts'
import { NoLicenses } from './no-licenses.tsx'

const loadDialog = () => import('./get-key-dialog.tsx')
const GetKeyDialog = lazy(async () => ({ default: (await loadDialog()).GetKeyDialog }))

interface Props {
  /** Of the product that is listed. */
  sku: string
  search: LicensesSearch
  statuses: Dictionary
}

/** Licenses of one product, newest first; ten a page (000 §9). */
export function LicenseList({ sku, search, statuses }: Props) {
  const { t } = useTranslation('licenses')
  const [keysOf, setKeysOf] = useState<License>()
  const columns = useLicenseColumns({
    sku,
    statuses,
    onGetKey: setKeysOf,
    onApproachKey: () => void loadDialog().catch(() => undefined),
  })

  return (
    <>
      <PagedList
        label={t('list')}
        columns={columns}
        rowKey={(license) => license.licenseId}
        query={(page) => licensesQuery({ ...search, page })}
        read={(reply) => ({
          rows: reply.licenses[reply.sku]?.list ?? [],
          total: reply.licenses[reply.sku]?.totalLicenseIdNum ?? 0,
        })}
        empty={<NoLicenses />}
      />
      {keysOf && (
        <Suspense fallback={null}>
          <GetKeyDialog license={keysOf} onClose={() => setKeysOf(undefined)} />
        </Suspense>
      )}
    </>
  )
}
