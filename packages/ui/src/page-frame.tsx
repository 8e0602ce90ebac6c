import { IconChevronRight } from '@tabler/icons-react'
import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocale } from './locale.ts'
import classes from './page-frame.module.css'

interface Crumb {
  label: string
  onOpen(): void
}

interface Props {
  title: string
  /** The number of entries, if known; an empty list says so itself. */
  count?: number | undefined
  /** One sentence below the title. */
  lead?: ReactNode
  /** The primary action. */
  action?: ReactNode
  /** The parent views, outermost first. */
  breadcrumb?: readonly Crumb[]
  children: ReactNode
}

/** What every tab says above its content. Below the title, which then stays where it is when this comes. */
export const AboveContent = createContext<ReactNode>(null)

/** The frame of a tab's content: the page's only h1, a lead, the primary action, and the content. */
export function PageFrame({ title, count, lead, action, breadcrumb, children }: Props) {
  const locale = useLocale()
  const heading = useFocusOnOpen()

  return (
    <>
      {breadcrumb && breadcrumb.length > 0 && <Breadcrumb crumbs={breadcrumb} />}
      <header className={classes.header}>
        <div className={classes.heading}>
          <h1 className={classes.title} ref={heading} tabIndex={-1}>
            {title}
            {count !== undefined && count > 0 && (
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
      {use(AboveContent)}
      {children}
    </>
  )
}

/** Focuses the heading of a new view if the focus was lost with the control that opened it. */
function useFocusOnOpen() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    // Not on page load, when no focus was lost.
    if (isLost && navigator.userActivation.hasBeenActive) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}

function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation('common')

  return (
    <nav aria-label={t('breadcrumb')} className={classes.breadcrumb}>
      <ol>
        {crumbs.map((crumb, index) => (
          <li key={crumb.label}>
            {index > 0 && <IconChevronRight size={14} aria-hidden />}
            <button type="button" onClick={crumb.onOpen}>
              {crumb.label}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
