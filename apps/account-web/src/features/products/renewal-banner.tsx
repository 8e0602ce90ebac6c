import { Notice } from '@atrium/ui/notice.tsx'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './products.module.css'
import { PromptActions } from './prompt-actions.tsx'
import { usePrompts } from './use-prompts.ts'

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
            <li key={`${prompt.subject} ${prompt.reason}`}>
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
