import type { MyProduct } from '@atrium/contract/products.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { ProductMark } from '@atrium/ui/product-mark.tsx'
import { useTranslation } from 'react-i18next'
import classes from './products.module.css'
import { integrationsOf } from './products.rules.ts'

/** What the shown products work with. */
export function IntegrationsPanel({ items }: { items: readonly MyProduct[] }) {
  const { t } = useTranslation('products')
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  const integrations = integrationsOf(items)
  if (integrations.length === 0) return null

  return (
    <section className={classes.panel} aria-labelledby="integrations">
      <h2 id="integrations">{t('integrations.title')}</h2>
      <ul>
        {integrations.map(({ name, products }) => (
          <li key={name}>
            <ProductMark name={name} icon="" size="small" />
            <div>
              <strong>{name}</strong>
              <span>{list.format(products)}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
