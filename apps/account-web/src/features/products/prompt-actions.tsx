import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { ProductButton } from './product-button.tsx'
import { useDismissPrompt } from './products.data.ts'
import classes from './products.module.css'
import type { PromptLine } from './prompt-line.ts'

/** What to do about a prompt, and a button that hides it. */
export function PromptActions({
  prompt: { prompt, product, subject, reason, title, cardStep, cardId },
}: {
  prompt: PromptLine
}) {
  const { t } = useTranslation('products')
  return (
    <div className={classes.promptActions}>
      {prompt ? (
        <ProductButton product={prompt} name={product} cardStep={cardStep} />
      ) : (
        <Button
          variant="default"
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/account"
              search={{ tab: 'payment-option-management', dialog: 'replace', card: cardId }}
            />
          )}
        >
          {t('banner.card_expiring.action')}
        </Button>
      )}
      {reason !== 'past_due' && (
        <DismissButton subject={subject} reason={reason} label={t('banner.dismiss', { title })} />
      )}
    </div>
  )
}

function DismissButton({ subject, reason, label }: Pick<PromptLine, 'subject' | 'reason'> & { label: string }) {
  const { locale } = usePage()
  const problemText = useProblemText()
  const dismiss = useDismissPrompt(locale.code)
  // With what it hides goes the button that had the focus.
  useEffect(() => () => returnLostFocus(null), [])

  return (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      px={8}
      aria-label={label}
      title={label}
      loading={dismiss.isPending}
      onClick={() => dismiss.mutate({ subject, reason }, { onError: (problem) => showFailure(problemText(problem)) })}
    >
      <IconX size={18} stroke={1.6} aria-hidden />
    </Button>
  )
}
