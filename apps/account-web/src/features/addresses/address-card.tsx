import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { GridCard } from '@atrium/ui/card-grid.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { personName } from '@atrium/ui/person-name.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { VisuallyHidden } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ObjectActions } from '../../page/object-actions.tsx'
import classes from './addresses.module.css'
import { PostalLines, usePostalLines } from './postal-lines.tsx'

interface Props {
  address: BillingAddress
  onEdit(): void
  onDelete(): void
  onSetDefault(): void
  /** On hover or focus, before a dialog opens. */
  onPreload(): void
}

export function AddressCard({ address, ...actions }: Props) {
  const { t } = useTranslation('addresses')
  const { orderBillFirstName, orderBillLastName, orderBillContactEmail: email } = address
  const name = personName(useLocale(), orderBillFirstName, orderBillLastName)

  return (
    <GridCard
      title={usePlace(address)}
      mark={address.isDefaultAddress === 1 && <StatusDot tone="good">{t('default')}</StatusDot>}
      actions={<Actions address={address} {...actions} />}
    >
      {[address.company, name].filter(Boolean).map((line) => (
        <div key={line}>{line}</div>
      ))}
      <PostalLines address={address} />
      {email && (
        <p className={classes.contact}>
          <IconMail size={15} stroke={1.6} aria-hidden />
          <VisuallyHidden>{t('contact')}</VisuallyHidden>
          <span>{email}</span>
        </p>
      )}
    </GridCard>
  )
}

/** The city and country, by which addresses differ; without a city, the country. */
function usePlace({ orderBillCity: city, orderBillCountry: country }: BillingAddress): string {
  const name = new Intl.DisplayNames([useLocale()], { type: 'region' }).of(country) ?? country
  return [city, name].filter((part) => part !== '').join(', ')
}

/** The default can only be edited: neither deleted nor made the default again (000 §4). */
function Actions({ address, onEdit, onDelete, onSetDefault, onPreload }: Props) {
  const { t } = useTranslation('addresses')
  const lines = usePostalLines(address)
  const others = [
    { key: 'setDefault', label: t('actions.setDefault'), onPress: onSetDefault },
    { key: 'delete', label: t('actions.delete'), onPress: onDelete, onPreload, isDestructive: true },
  ]

  return (
    <ObjectActions
      first={{ key: 'edit', label: t('actions.edit'), onPress: onEdit, onPreload }}
      others={address.isDefaultAddress === 1 ? [] : others}
      moreLabel={t('actions.more')}
      nameOf={(action) => t('actions.of', { action, address: lines.join(', ') })}
    />
  )
}
