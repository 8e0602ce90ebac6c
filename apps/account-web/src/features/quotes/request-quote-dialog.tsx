import type { QuoteKind } from '@atrium/contract/quotes.ts'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMember } from '../../page/member.data.ts'
import { usePage } from '../../page/page-data.ts'
import type { QuoteSubject } from '../../page/use-quote-dialog.ts'
import { QuoteForm } from './quote-form.tsx'
import { QuoteFormSkeleton } from './quote-form-skeleton.tsx'
import { quoteFormQuery, useRequestQuote } from './quotes.data.ts'

interface Props {
  kind: QuoteKind
  about: QuoteSubject
  onClose(): void
}

/** Milliseconds: long enough to read when sales will answer, and where the copy was sent. */
const readingTime = 10_000

/** Asks sales for a quote: the dialog for Get a Quote and its two variants (000 §2.6, 001 §9). */
export function RequestQuoteDialog({ kind, about, onClose }: Props) {
  const { t } = useTranslation('quotes')
  const { locale } = usePage()
  const { email } = useMember()
  const { data: known, error, refetch, isFetching } = useQuery(quoteFormQuery(locale.code))
  const request = useRequestQuote(locale.code)

  function thank() {
    showSuccess(t('sent', { email }), readingTime)
    onClose()
  }

  return (
    <DialogFrame title={t(`titles.${kind}`)} onClose={onClose} busy={request.isPending} isForm width={560}>
      {known && (
        <QuoteForm kind={kind} about={about} known={known} request={request} onSent={thank} onClose={onClose} />
      )}
      {!known && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!known && !error && <QuoteFormSkeleton />}
    </DialogFrame>
  )
}
