import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { CardGrid } from '@atrium/ui/card-grid.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { AddressCard } from './address-card.tsx'
import type { OpenDialog } from './address-dialogs.tsx'
import { useSetDefaultAddress } from './addresses.data.ts'

interface Props {
  list: readonly BillingAddress[]
  onOpen(dialog: OpenDialog): void
  /** On hover or focus, before a dialog opens with this country. */
  onPreload(country: string): void
}

export function AddressList({ list, onOpen, onPreload }: Props) {
  const { t } = useTranslation('addresses')
  const problemText = useProblemText()
  const locale = useLocale()
  const setDefault = useSetDefaultAddress()

  function makeDefault(address: BillingAddress) {
    setDefault.mutate(address, {
      onSuccess: () => showSuccess(joinSentences(locale, [t('done.defaultSet'), t('done.future')])),
      onError: (problem) => showFailure(problemText(problem)),
    })
  }

  return (
    <CardGrid label={t('list')}>
      {list.map((address) => (
        <AddressCard
          key={address.id}
          address={address}
          onEdit={() => onOpen({ name: 'edit', address })}
          onDelete={() => onOpen({ name: 'delete', address })}
          onSetDefault={() => makeDefault(address)}
          onPreload={() => onPreload(address.orderBillCountry)}
        />
      ))}
    </CardGrid>
  )
}
