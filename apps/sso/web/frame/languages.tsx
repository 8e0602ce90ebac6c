import { VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { chosenLocaleCookie } from '../../src/chosen-locale-cookie.ts'
import { usePageData } from '../page/page-data.ts'
import classes from './languages.module.css'

/** Links to the page in other languages, in a plain `<details>` instead of a library's menu. */
export function Languages() {
  const { t } = useTranslation('common')
  const { locale, languages } = usePageData()
  const details = useRef<HTMLDetailsElement>(null)
  const name = languages.find(({ code }) => code === locale)?.name ?? ''

  function close(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !details.current?.open) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }

  return (
    <details ref={details} className={classes.languages} onKeyDown={close}>
      <summary className={classes.summary}>
        <IconLanguage size={18} stroke={1.6} aria-hidden />
        <VisuallyHidden>{t('language')}</VisuallyHidden>
        {name}
        <IconChevronDown size={15} stroke={1.8} aria-hidden />
      </summary>
      <ul className={classes.list}>
        {languages.map((language) => (
          <li key={language.code}>
            <a
              lang={language.code}
              href={`?locale=${language.code}`}
              onClick={(event) => goTo(event, language.code)}
              aria-current={language.code === locale || undefined}
            >
              {language.name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Remembers the choice, keeps the rest of the address, and replaces the history entry. */
function goTo(event: MouseEvent, locale: string) {
  event.preventDefault()
  Object.assign(document, { cookie: chosenLocaleCookie(locale, location.protocol) })
  const address = new URL(location.href)
  address.searchParams.set('locale', locale)
  location.replace(address)
}
