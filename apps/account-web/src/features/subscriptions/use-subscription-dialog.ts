import { useSearch } from '@tanstack/react-router'
import { useAddressDialog } from '../../page/use-address-dialog.ts'
import { SubscriptionDialogSearch } from './subscriptions.search.ts'

/** The search parameters without a dialog. */
export const noDialog = { dialog: undefined, sid: undefined, quantity: undefined }

/** The dialog about a subscription that is in the address: an email's link can open it. */
export function useSubscriptionDialog() {
  const { dialog, sid, quantity } = SubscriptionDialogSearch.parse(useSearch({ strict: false }))
  const name = sid === undefined ? undefined : dialog
  return { name, sid, quantity, ...useAddressDialog<SubscriptionDialogSearch>(name !== undefined, noDialog) }
}
