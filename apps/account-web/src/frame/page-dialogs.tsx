import { loadableDialog } from '../page/loadable-dialog.tsx'
import { loadTexts } from '../page/texts.ts'
import { useQuoteDialog } from '../page/use-quote-dialog.ts'

const { Dialog: RequestQuoteDialog } = loadableDialog(async () => {
  const code = import('../features/quotes/request-quote-dialog.tsx').then((module) => module.RequestQuoteDialog)
  const [Dialog] = await Promise.all([code, loadTexts('quotes')])
  return Dialog
})

/** The dialog that the address opens beside its tab. Its code and texts come when it is wanted. */
export function PageDialogs() {
  const { kind, close } = useQuoteDialog()
  return kind && <RequestQuoteDialog kind={kind} onClose={close} />
}
