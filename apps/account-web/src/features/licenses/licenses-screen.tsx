import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { licensesQuery } from './licenses.data.ts'
import { matchesOf } from './licenses.rules.ts'
import { LicensesSearch } from './licenses.search.ts'
import { LicensesByProduct } from './licenses-by-product.tsx'

/** 000 §2.7. */
export function LicensesScreen() {
  const { t: frame } = useTranslation('frame')
  const [search] = useAddress(LicensesSearch)
  const { data } = useQuery(licensesQuery(search))

  return (
    <PageFrame
      title={frame('tabs.license-management')}
      count={data && matchesOf(data)}
      lead={frame('leads.license-management')}
    >
      <LicensesByProduct />
    </PageFrame>
  )
}
