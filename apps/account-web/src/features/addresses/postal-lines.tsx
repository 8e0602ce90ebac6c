import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import classes from './addresses.module.css'
import { addressLines } from './addresses.rules.ts'

/** An address formatted as on an envelope. */
export function PostalLines({ address }: { address: BillingAddress }) {
  return (
    <div className={classes.lines}>
      {usePostalLines(address).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}

/** Its lines, with the country's name in the page's language. */
export function usePostalLines(address: BillingAddress): string[] {
  const names = new Intl.DisplayNames([useLocale()], { type: 'region' })
  return addressLines(address, names.of(address.orderBillCountry) ?? address.orderBillCountry)
}
