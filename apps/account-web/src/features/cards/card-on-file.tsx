import type { CreditCard } from '@atrium/contract/cards.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { GridCard } from '@atrium/ui/card-grid.tsx'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { personName } from '@atrium/ui/person-name.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import { ObjectActions } from '../../page/object-actions.tsx'
import { CardMark } from './card-mark.tsx'
import classes from './cards.module.css'
import { expiryText, timeToExpiry } from './cards.rules.ts'
import { useCardName } from './use-card-name.ts'

interface Props {
  card: CreditCard
  isDefault: boolean
  /** What it pays for although it was declined; undefined: nothing. */
  declined: Subscription | undefined
  onEdit(): void
  onReplace(): void
  onRemove(): void
  onSetDefault(): void
  /** On hover or focus, before a dialog opens. */
  onPreload(): void
}

export function CardOnFile({ card, isDefault, declined, ...actions }: Props) {
  const { t } = useTranslation('cards')
  const name = useCardName()(card)

  return (
    <GridCard
      title={
        <span className={classes.name}>
          <CardMark brand={card.card.brand} />
          <span>{name}</span>
        </span>
      }
      mark={isDefault && <StatusDot tone="good">{t('default')}</StatusDot>}
      actions={<Actions card={card} isDefault={isDefault} {...actions} />}
    >
      <Holder card={card} />
      <p className={classes.expiry}>
        {t('expires', { date: expiryText(card.card) })}
        {card.isExpired ? <StatusDot tone="bad">{t('expired')}</StatusDot> : <ExpiresSoon card={card} />}
      </p>
      {declined && <Declined subscription={declined} />}
    </GridCard>
  )
}

/** In how long it expires, before it happens. */
function ExpiresSoon({ card: { card } }: Pick<Props, 'card'>) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const left = timeToExpiry(card, new Date())
  if (!left) return null
  const time = new Intl.RelativeTimeFormat(locale).format(left.value, left.unit)
  return <StatusDot tone="warning">{t('expiresSoon', { time })}</StatusDot>
}

/** It was declined, and would be charged again: how to have another card pay. */
function Declined({
  subscription: { appName: product, lastDecline, paymentMethodId },
}: {
  subscription: Subscription
}) {
  const { t } = useTranslation('problems')
  const locale = useLocale()
  if (!lastDecline) return null
  const date = formatDate(locale, new Date(lastDecline.at), 'UTC')
  const sentence =
    paymentMethodId === '' ? t('declined_still_default', { date }) : t('declined_still_own', { date, product })
  return <StatusDot tone="bad">{sentence}</StatusDot>
}

/** The cardholder and the billing address, as far as known. */
function Holder({ card: { metadata, billingDetails } }: Pick<Props, 'card'>) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const { city, country } = billingDetails.address
  const countryName = country && (new Intl.DisplayNames([locale], { type: 'region' }).of(country) ?? country)
  const place = [city, countryName].filter(Boolean).join(', ')

  return (
    <>
      <p>{personName(locale, metadata.firstName, metadata.lastName) || t('noHolder')}</p>
      {place && <p className={classes.place}>{place}</p>}
    </>
  )
}

/** The default can neither be removed nor made the default again (000 §4). One that has expired, or soon will, is best replaced. */
function Actions({ card, isDefault, onEdit, onReplace, onRemove, onSetDefault, onPreload }: Omit<Props, 'declined'>) {
  const { t } = useTranslation('cards')
  const name = useCardName()(card)
  const edit = { key: 'edit', label: t('actions.edit'), onPress: onEdit, onPreload }
  const replace = { key: 'replace', label: t('actions.replace'), onPress: onReplace, onPreload }
  const isEnding = card.isExpired || timeToExpiry(card.card, new Date()) !== undefined
  const others = [
    ...(card.canBeDefault ? [{ key: 'setDefault', label: t('actions.setDefault'), onPress: onSetDefault }] : []),
    { key: 'remove', label: t('actions.remove'), onPress: onRemove, onPreload, isDestructive: true },
  ]

  return (
    <ObjectActions
      first={isEnding ? replace : edit}
      others={[...(isEnding ? [edit] : []), ...(isDefault ? [] : others)]}
      moreLabel={t('actions.more')}
      nameOf={(action) => t('actions.of', { action, card: name })}
    />
  )
}
