import { Suspense } from 'react'
import { RequestQuoteDialog } from '../dialogs.ts'
import { useQuoteDialog } from './use-address.ts'

/** The dialog that the address opens beside its tab. */
export function PageDialogs() {
  const { kind, close } = useQuoteDialog()
  if (!kind) return null

  return (
    <Suspense fallback={null}>
      <RequestQuoteDialog kind={kind} onClose={close} />
    </Suspense>
  )
}
