import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import { localePath } from '@atrium/contract/locale.ts'
import type { listMyProducts } from '@atrium/contract/products.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OutsideButton } from '../../page/outside-button.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell, shopUrl } from '../../page/shop.rules.ts'
import classes from './products.module.css'
import { placeOf } from './products.rules.ts'

type Products = EndpointReply<typeof listMyProducts>

/** The empty list: why it is empty, as the server says, and the way on (001 §8). */
export function NoProduct({ products }: { products: Products }) {
  const { t } = useTranslation('products')
  const { settings, locale } = usePage()
  const { blankTip, blankButton, blankUrl, teamUrl, ownerEmail } = products

  return (
    <EmptyState
      title={t('blank.title')}
      picture={blankTip === 'personal_tip' || blankTip === '' ? 'papers' : 'devices'}
      sentence={blankSentence()}
      action={
        <div className={classes.blankButtons}>
          {blankButton === 'admin_console' && (
            <OutsideButton href={blankUrl} label={t('blank.adminConsole')} variant="filled" />
          )}
          {teamUrl !== '' && <TeamButton url={teamUrl} isAlone={blankButton === ''} />}
          {blankTip === 'personal_tip' && <TryButton />}
          {blankButton === 'shop' && <OutsideButton href={blankUrl} label={t('buyNow')} variant="filled" />}
        </div>
      }
    />
  )

  function blankSentence(): string {
    if (blankTip === '') return t('blank.elsewhere')
    if (blankTip === 'personal_tip') return t('blank.product', { product: settings.brandName })
    const owner = blankTip === 'log_in_admin' ? [] : [t('blank.owner', { email: ownerEmail })]
    return joinSentences(locale.code, [t(`blank.${blankTip}`), ...owner])
  }
}

/** The users of the team that the member manages. */
function TeamButton({ url, isAlone }: { url: string; isAlone: boolean }) {
  const { t } = useTranslation('products')
  const place = placeOf(url, window.location.origin)
  if (place.is !== 'here') return null
  return (
    <Button
      variant={isAlone ? 'filled' : 'default'}
      renderRoot={(props) => <Link {...props} to="/account" search={place.search} />}
    >
      {t('blank.manageUsers')}
    </Button>
  )
}

/** Above what is over of a product: nothing of it can be used. */
export function NoneActive({ product }: { product: string }) {
  const { t } = useTranslation('products')
  const { locale } = usePage()
  return (
    <div className={classes.noneActive}>
      <p>{t('blank.product', { product })}</p>
      {maySell(locale) && <BuyButton />}
    </div>
  )
}

/** The vendor's shop, in a new tab. Not offered in Russian (001 §2). */
export function BuyButton() {
  const { t } = useTranslation('products')
  const { settings, locale } = usePage()
  return <OutsideButton href={shopUrl({ siteUrl: settings.siteUrl, locale })} label={t('buyNow')} variant="default" />
}

/** The vendor's site, where trials are. */
function TryButton() {
  const { t } = useTranslation('products')
  const { settings, locale } = usePage()
  return (
    <OutsideButton href={`${settings.siteUrl}${localePath(locale, '/')}`} label={t('blank.try')} variant="default" />
  )
}
