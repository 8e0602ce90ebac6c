import type { License } from '@atrium/contract/licenses.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useLicenseColumns } from './license-columns.tsx'
import { licensesQuery } from './licenses.data.ts'
import type { LicensesSearch } from './licenses.search.ts'
import { NoLicenses } from './no-licenses.tsx'

const { Dialog: GetKeyDialog, preload } = loadableDialog(
  async () => (await import('./get-key-dialog.tsx')).GetKeyDialog,
)

interface Props {
  /** Sku of the listed product. */
  sku: string
  search: LicensesSearch
  statuses: Dictionary
}

/** Licenses of one product, newest first; ten per page (000 §9). */
export function LicenseList({ sku, search, statuses }: Props) {
  const { t } = useTranslation('licenses')
  const [keysOf, setKeysOf] = useState<License>()
  const columns = useLicenseColumns({
    sku,
    statuses,
    onGetKey: setKeysOf,
    onPreloadKey: preload,
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
      {keysOf && <GetKeyDialog license={keysOf} onClose={() => setKeysOf(undefined)} />}
    </>
  )
}
