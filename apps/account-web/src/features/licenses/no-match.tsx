import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { licensedProductsQuery, licensesQuery } from './licenses.data.ts'
import { LicensesSearch } from './licenses.search.ts'
import classes from './no-match.module.css'

/** No license of this product matches. Offers the products with matches, since an id may belong to another one. */
export function NoMatch({ onClear }: { onClear(): void }) {
  const { t } = useTranslation(['licenses', 'common'])
  const [, changeAddress] = useAddress(LicensesSearch)
  const number = new Intl.NumberFormat(useLocale())
  const others = useOtherMatches()
  // The pressed button is unmounted with the state.
  useEffect(() => () => returnLostFocus(null), [])

  return (
    <EmptyState
      picture="papers"
      sentence={t(others.length > 0 ? 'licenses:matchElsewhere' : 'licenses:noMatch')}
      action={
        <div className={classes.ways}>
          {others.map(({ sku, name, matches }) => (
            <Button key={sku} variant="default" onClick={() => changeAddress({ sku, page: undefined })}>
              {name} <span className={classes.count}>{number.format(matches)}</span>
            </Button>
          ))}
          <Button variant={others.length > 0 ? 'subtle' : 'default'} onClick={onClear}>
            {t('common:filters.clearAll')}
          </Button>
        </div>
      }
    />
  )
}

/** Products with matches for the filters. */
function useOtherMatches() {
  const [search] = useAddress(LicensesSearch)
  const { data: products } = useQuery(licensedProductsQuery)
  const { data } = useQuery(licensesQuery(search))
  return (products?.list ?? [])
    .map(({ sku, name }) => ({ sku, name, matches: data?.licenses[sku]?.totalLicenseIdNum ?? 0 }))
    .filter(({ matches }) => matches > 0)
}
