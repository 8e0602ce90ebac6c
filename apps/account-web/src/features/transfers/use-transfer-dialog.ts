import { useSearch } from '@tanstack/react-router'
import { useAddressDialog } from '../../page/use-address-dialog.ts'
import { TransferSearch, transferDialog } from './transfers.search.ts'

const closed = { dialog: undefined }

/** The transfer dialog in the address. */
export function useTransferDialog() {
  const isOpen = TransferSearch.parse(useSearch({ strict: false })).dialog !== undefined
  const { open, close } = useAddressDialog<TransferSearch>(isOpen, closed)
  return { isOpen, open: () => open({ dialog: transferDialog }), close }
}
