import { Notice } from '@atrium/ui/notice.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { showFailure } from '@atrium/ui/success.ts'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { ProductButton } from './product-button.tsx'
import { useDismissPrompt } from './products.data.ts'
import classes from './products.module.css'
import { type Shown, usePrompts } from './use-prompts.ts'

/** What the Owner should see to: the worst of it, and the rest behind "and n more" (001 §2). */
export function RenewalBanner() {
  const { t } = useTranslation('products')
  const [isOpen, setIsOpen] = useState(false)
  const { shown, total } = usePrompts()
  const [worst, ...others] = shown
  if (!worst) return null

  const more = total - 1
  return (
    <section className={classes.banner} aria-label={t('banner.label')}>
      <Notice tone={worst.tone} title={worst.title} action={<PromptActions prompt={worst} />}>
        {worst.sentence}
        {more > 0 && (
          <>
            {' '}
            <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? t('banner.less') : t('banner.more', { count: more })}
            </button>
          </>
        )}
      </Notice>
      {isOpen && others.length > 0 && (
        <ul className={classes.others}>
          {others.map((prompt) => (
            <li key={`${prompt.sid} ${prompt.reason}`}>
              <div>
                <StatusDot tone={prompt.tone}>{prompt.title}</StatusDot>
                <p>{prompt.sentence}</p>
              </div>
              <PromptActions prompt={prompt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function PromptActions({ prompt: { prompt, product, sid, reason, title, cardStep } }: { prompt: Shown }) {
  const { t } = useTranslation('products')
  return (
    <div className={classes.promptActions}>
      {prompt ? (
        <ProductButton product={prompt} name={product} cardStep={cardStep} />
      ) : (
        <Button
          variant="default"
          size="sm"
          renderRoot={(props) => <Link {...props} to="/account" search={{ tab: 'payment-option-management' }} />}
        >
          {t('banner.card_expiring.action')}
        </Button>
      )}
      {reason !== 'past_due' && <DismissButton sid={sid} reason={reason} label={t('banner.dismiss', { title })} />}
    </div>
  )
}

function DismissButton({ sid, reason, label }: Pick<Shown, 'sid' | 'reason'> & { label: string }) {
  const { locale } = usePage()
  const problemText = useProblemText()
  const dismiss = useDismissPrompt(locale.code)
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      loading={dismiss.isPending}
      onClick={() =>
        dismiss.mutate(
          { sid, reason },
          // Its button, which had the focus, is gone then.
          { onSuccess: () => returnLostFocus(null), onError: (problem) => showFailure(problemText(problem)) },
        )
      }
    >
      <IconX size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}
