import type { CreditCard } from '@atrium/contract/cards.ts'
import { IconCreditCard } from '@tabler/icons-react'
import amex from 'payment-icons/min/flat/amex.svg?url&no-inline'
import diners from 'payment-icons/min/flat/diners.svg?url&no-inline'
import discover from 'payment-icons/min/flat/discover.svg?url&no-inline'
import jcb from 'payment-icons/min/flat/jcb.svg?url&no-inline'
import mastercard from 'payment-icons/min/flat/mastercard.svg?url&no-inline'
import unionpay from 'payment-icons/min/flat/unionpay.svg?url&no-inline'
import visa from 'payment-icons/min/flat/visa.svg?url&no-inline'
import classes from './cards.module.css'

/** Addresses by the provider's name of the brand. */
const pictures: Readonly<Record<string, string>> = { amex, diners, discover, jcb, mastercard, unionpay, visa }

/** The mark of a card's brand, or a card's outline. The brand's name stands beside it. */
export function CardMark({ brand }: Pick<CreditCard['card'], 'brand'>) {
  const picture = Object.hasOwn(pictures, brand) ? pictures[brand] : undefined
  if (!picture) return <IconCreditCard size={24} stroke={1.6} className={classes.icon} aria-hidden />
  return <img src={picture} alt="" width={35} height={22} className={classes.icon} />
}
