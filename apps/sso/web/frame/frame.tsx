import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageData } from '../page/page-data.ts'
import classes from './frame.module.css'
import { Languages } from './languages.tsx'

/** The layout: the brand, one card, and the languages. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { brandName, siteUrl } = usePageData()

  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        <a className={classes.brand} href={siteUrl} aria-label={t('frame.site', { brand: brandName })}>
          <BrandMark name={brandName} />
        </a>
      </header>
      <main className={classes.main}>{children}</main>
      <footer className={classes.footer}>
        <Languages />
      </footer>
    </div>
  )
}
