import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocale } from './locale.ts'
import classes from './page-frame.module.css'

interface Crumb {
  label: string
  onOpen(): void
}

interface Props {
  title: string
  /** How many there are, where that is known. */
  count?: number | undefined
  /** One sentence beneath the title. */
  lead?: ReactNode
  /** The one thing to do here. */
  action?: ReactNode
  /** The views above this one, outermost first. */
  breadcrumb?: readonly Crumb[]
  children: ReactNode
}

/** The frame of a tab's content: the page's one h1, a lead, the primary action, and the content. */
export function PageFrame({ title, count, lead, action, breadcrumb, children }: Props) {
  const locale = useLocale()
  const heading = useFocusTaken()

  return (
    <>
      {breadcrumb && breadcrumb.length > 0 && <Breadcrumb crumbs={breadcrumb} />}
      <header className={classes.header}>
        <div className={classes.heading}>
          <h1 className={classes.title} ref={heading} tabIndex={-1}>
            {title}
            {count !== undefined && (
              <>
                {'\u00a0'}
                <span className={classes.count}>{new Intl.NumberFormat(locale).format(count)}</span>
              </>
            )}
          </h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {action && <div className={classes.action}>{action}</div>}
      </header>
      {children}
    </>
  )
}

/** A view that takes another one's place takes its focus, where that was lost with what opened the view. */
function useFocusTaken() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    // Not when the page itself was opened: then nobody had a focus to lose.
    if (isLost && navigator.userActivation.hasBeenActive) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}

function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation('common')

  return (
    <nav aria-label={t('breadcrumb')} className={classes.breadcrumb}>
      <ol>
        {crumbs.map((crumb) => (
          <li key={crumb.label}>
            <button type="button" onClick={crumb.onOpen}>
              {crumb.label}
            </button>
            <IconChevronRight size={14} aria-hidden />
          </li>
        ))}
      </ol>
    </nav>
  )
}
