import type { AddressEdit, BillingAddress } from '@atrium/contract/addresses.ts'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { AddressForm } from './address-form.tsx'
import { AddressFormSkeleton } from './address-form-skeleton.tsx'
import { addressFormQuery, useSaveAddress } from './addresses.data.ts'

interface Props {
  /** Undefined: adds a new address. */
  address?: BillingAddress
  /** The first address, which becomes the default. */
  isFirst: boolean
  onClose(): void
}

/** Adds or changes an address. */
export function EditAddressDialog({ address, isFirst, onClose }: Props) {
  const { t } = useTranslation('addresses')
  const { locale } = usePage()
  const form = useQuery(addressFormQuery(locale.code, address?.orderBillCountry))
  const save = useSaveAddress(address?.id)
  const { data: known, error, refetch, isFetching } = form

  function finish({ isDefaultAddress }: AddressEdit) {
    const done = t(address ? 'done.modified' : 'done.added')
    // Invoices are addressed to the default one alone.
    showSuccess(joinSentences(locale.code, isFirst || isDefaultAddress === 1 ? [done, t('done.future')] : [done]))
    onClose()
  }

  return (
    <DialogFrame title={t(address ? 'edit.title' : 'add')} onClose={onClose} busy={save.isPending} isForm width={560}>
      {known && (
        <AddressForm address={address} isFirst={isFirst} known={known} save={save} onSaved={finish} onClose={onClose} />
      )}
      {!known && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!known && !error && <AddressFormSkeleton />}
    </DialogFrame>
  )
}
