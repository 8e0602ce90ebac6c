import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { LimitDialog } from '@atrium/ui/limit-dialog.tsx'
import { useTranslation } from 'react-i18next'
import { DeleteAddressDialog } from './delete-address-dialog.tsx'
import { EditAddressDialog } from './edit-address-dialog.tsx'

/** The open dialog, with the state in which it was opened. */
export type OpenDialog =
  | { name: 'add'; isFirst: boolean }
  | { name: 'edit'; address: BillingAddress }
  | { name: 'delete'; address: BillingAddress }
  | { name: 'limit' }

interface Props {
  dialog: OpenDialog
  onClose(): void
}

/** The dialogs of the screen. Their code is loaded on demand. */
export function AddressDialogs({ dialog, onClose }: Props) {
  const { t } = useTranslation('addresses')
  const { t: problems } = useTranslation('problems')

  if (dialog.name === 'limit')
    return <LimitDialog title={t('add')} sentence={problems('address_limit')} onClose={onClose} />
  if (dialog.name === 'delete') return <DeleteAddressDialog address={dialog.address} onClose={onClose} />
  if (dialog.name === 'edit') return <EditAddressDialog address={dialog.address} isFirst={false} onClose={onClose} />
  return <EditAddressDialog isFirst={dialog.isFirst} onClose={onClose} />
}
