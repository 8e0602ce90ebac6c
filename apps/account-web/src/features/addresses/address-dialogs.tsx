import type { BillingAddress } from '@atrium/contract/addresses.ts'
import { AddressLimitDialog } from './address-limit-dialog.tsx'
import { DeleteAddressDialog } from './delete-address-dialog.tsx'
import { EditAddressDialog } from './edit-address-dialog.tsx'

/** Which dialog is open, with what it needs to know of the moment in which it was opened. */
export type OpenDialog =
  | { name: 'add'; isFirst: boolean }
  | { name: 'edit'; address: BillingAddress }
  | { name: 'delete'; address: BillingAddress }
  | { name: 'limit' }

interface Props {
  dialog: OpenDialog
  onClose(): void
}

/** The dialogs of the screen. Their code, and that of their fields, comes when one is wanted. */
export function AddressDialogs({ dialog, onClose }: Props) {
  if (dialog.name === 'limit') return <AddressLimitDialog onClose={onClose} />
  if (dialog.name === 'delete') return <DeleteAddressDialog address={dialog.address} onClose={onClose} />
  if (dialog.name === 'edit') return <EditAddressDialog address={dialog.address} isFirst={false} onClose={onClose} />
  return <EditAddressDialog isFirst={dialog.isFirst} onClose={onClose} />
}
