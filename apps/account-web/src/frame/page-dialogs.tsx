import { loadableDialog } from '../page/loadable-dialog.tsx'
import { loadTexts } from '../page/texts.ts'
import { useQuoteDialog } from '../page/use-quote-dialog.ts'

const { Dialog: RequestQuoteDialog } = loadableDialog(async () => {
  const code = import('../features/quotes/request-quote-dialog.tsx').then((module) => module.RequestQuoteDialog)
  const [Dialog] = await Promise.all([code, loadTexts('quotes')])
  return Dialog
})

/** The dialog in the address, next to the tab. Its code and texts are loaded on demand. */
export function PageDialogs() {
  const { kind, about, close } = useQuoteDialog()
  return kind && <RequestQuoteDialog kind={kind} about={about} onClose={close} />
}
