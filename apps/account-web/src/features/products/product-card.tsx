import type { MyProduct } from '@atrium/contract/products.ts'
import { GridCard } from '@atrium/ui/card-grid.tsx'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { ProductMark } from '@atrium/ui/product-mark.tsx'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useTrialOutcome } from '../../page/use-trial-outcome.ts'
import { ProductButton } from './product-button.tsx'
import { ProductLinks } from './product-links.tsx'
import classes from './products.module.css'
import { isShared, stateOf, waitingFor } from './products.rules.ts'

/** A product: what it is, how long it lasts, where to get or open it, and the one thing to do about it. */
export function ProductCard({ product }: { product: MyProduct }) {
  const { t } = useTranslation('products')
  const locale = useLocale()
  const { key, tone } = stateOf(product)
  const { trial } = product
  const waiting = waitingFor(product.showButtonType)
  const outcomeOf = useTrialOutcome(trial ? [trial] : [])
  const outcome = trial && outcomeOf(trial, new Date(product.showTime))
  const date = product.showTime === '' ? '' : formatDate(locale, new Date(product.showTime), 'UTC')

  return (
    <GridCard
      title={
        <div className={classes.head}>
          <ProductMark name={product.appName} icon={product.appIcon} />
          <div className={classes.name}>
            <h2>{product.appName}</h2>
            <Labels product={product} />
          </div>
        </div>
      }
      actions={<ProductButton product={product} name={product.appName} cardStep={outcome?.step} />}
    >
      <div className={classes.facts}>
        <StatusDot tone={tone}>{t(`time.${key}`, { date, count: product.remainDays })}</StatusDot>
        {waiting && <Note>{t(`waiting.${waiting}`)}</Note>}
        {outcome && <Note>{outcome.sentence}</Note>}
        {product.hasLicense === 0 && <Note>{t('noLicense')}</Note>}
        {product.isMsp === 1 && <Note>{t('msp')}</Note>}
        <ProductLinks links={product.productList} roadmapUrl={product.roadmapUrl} name={product.appName} />
      </div>
    </GridCard>
  )
}

function Labels({ product }: { product: MyProduct }) {
  const { t } = useTranslation('products')
  const labels = [...(product.isTrial === 1 ? [t('freeTrial')] : []), ...(isShared(product) ? [t('shared')] : [])]
  return labels.length === 0 ? null : <span className={classes.label}>{joinWithDots(labels)}</span>
}

function Note({ children }: { children: string }) {
  return (
    <p className={classes.note}>
      <IconInfoCircle size={16} stroke={1.6} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
