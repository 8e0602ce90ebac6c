import { RequestQuoteDialog } from '../dialogs.ts'
import { useQuoteDialog } from './use-address.ts'

/** The dialog that the address opens beside its tab. */
export function PageDialogs() {
  const { kind, close } = useQuoteDialog()
  return kind && <RequestQuoteDialog kind={kind} onClose={close} />
}
