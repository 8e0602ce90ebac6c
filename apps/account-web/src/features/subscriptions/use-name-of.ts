import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useTranslation } from 'react-i18next'
import { shortId } from '../../page/short-id.ts'
import { isNameShared } from './subscriptions.rules.ts'

/** What a subscription is called among those that are listed: its product, with the id where two are alike. */
export function useNameOf(): (subscription: Subscription, list: readonly Subscription[]) => string {
  const { t } = useTranslation('subscriptions')
  return (subscription, list) => {
    const { appName: product, stripeSubscriptionId: id } = subscription
    return isNameShared(subscription, list) ? t('named', { product, id: shortId(id) }) : product
  }
}
