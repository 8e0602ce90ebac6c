import type { QuoteKind } from '@atrium/contract/quotes.ts'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMember } from '../../page/member.data.ts'
import { usePage } from '../../page/page-data.ts'
import type { QuoteSubject } from '../../page/use-quote-dialog.ts'
import { QuoteForm } from './quote-form.tsx'
import { QuoteFormSkeleton } from './quote-form-skeleton.tsx'
import { QuoteSent } from './quote-sent.tsx'
import { quoteFormQuery, useRequestQuote } from './quotes.data.ts'

interface Props {
  kind: QuoteKind
  about: QuoteSubject
  onClose(): void
}

/** Asks sales for a quote: the dialog for Get a Quote and its two variants (000 §2.6, 001 §9). */
export function RequestQuoteDialog({ kind, about, onClose }: Props) {
  const { t } = useTranslation('quotes')
  const { locale } = usePage()
  const { email } = useMember()
  const { data: known, error, refetch, isFetching } = useQuery(quoteFormQuery(locale.code))
  const request = useRequestQuote(locale.code)

  const title = t(`titles.${kind}`)

  if (request.isSuccess) return <QuoteSent title={title} email={email} onClose={onClose} />
  return (
    <DialogFrame title={title} onClose={onClose} busy={request.isPending} isForm width={560}>
      {known && <QuoteForm kind={kind} about={about} known={known} request={request} onClose={onClose} />}
      {!known && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!known && !error && <QuoteFormSkeleton />}
    </DialogFrame>
  )
}
