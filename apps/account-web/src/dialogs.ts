import { loadTexts } from './languages.ts'
import { loadableDialog } from './shell/loadable-dialog.tsx'

/** The dialogs that every tab can open, by what stands in the address beside it. Their code comes when they are wanted. */
export const { Dialog: RequestQuoteDialog } = loadableDialog(async () => {
  const code = import('./features/quotes/request-quote-dialog.tsx').then((module) => module.RequestQuoteDialog)
  const [Dialog] = await Promise.all([code, loadTexts('quotes')])
  return Dialog
})
