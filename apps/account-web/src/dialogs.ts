import { lazy } from 'react'
import { loadTexts } from './languages.ts'

/** The dialogs that every tab can open, by what stands in the address beside it. Their code comes when they are wanted. */
export const RequestQuoteDialog = lazy(async () => {
  const code = import('./features/quotes/request-quote-dialog.tsx').then((module) => module.RequestQuoteDialog)
  const [Dialog] = await Promise.all([code, loadTexts('quotes')])
  return { default: Dialog }
})
