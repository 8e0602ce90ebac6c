import { type Locale, localePath } from '@atrium/contract/locale.ts'
import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from '../page/standalone-page.module.css'

interface Props {
  brandName: string
  locale: Locale
}

/** Shown when signing in failed twice, with a way to try again. */
export function SignInFailed({ brandName, locale }: Props) {
  const { t } = useTranslation('frame')
  useDocumentTitle(`${t('signInFailed.title')} · ${brandName}`)

  return (
    <main className={classes.page}>
      <BrandMark name={brandName} />
      <div className={classes.card}>
        <h1>{t('signInFailed.title')}</h1>
        <p>{t('signInFailed.why')}</p>
        <Button component="a" href={localePath(locale, '/account')}>
          {t('signInFailed.retry')}
        </Button>
      </div>
    </main>
  )
}
