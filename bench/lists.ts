import { largeTeam } from './large-team.ts'

/** A path, and the share of the bare server's throughput that ours must reach (`floor`). */
export interface MeasuredPath {
  name: string
  path: string
  floor: number
}

/** First page and page 100, with and without filter and keyword. `{key}` is the key with the most devices. */
export function measuredPaths(key: string): readonly MeasuredPath[] {
  const lists = [
    ['profile', '/account/profile/', 0.7],
    ['addresses', '/account/billing-addresses/', 0.6],
    ['activity', '/account/activity/', 0.6],
    ['activity, filtered, page 9', '/account/activity/?who=member&area=devices&page=9', 0.6],
    ['active sessions', '/account/sessions/', 0.6],
    ['offline orders', '/account/offline-orders/', 0.6],
    ['orders', '/account/online-orders/', 0.6],
    ['orders, page 100', '/account/online-orders/?page=100', 0.6],
    ['orders, completed', '/account/online-orders/?status=CO', 0.6],
    ['orders, keyword and range', '/account/online-orders/?keyWord=business&range=one-year&page=2', 0.6],
    ['subscriptions', '/account/subscription/', 0.6],
    ['subscriptions, page 40', '/account/subscription/?page=40', 0.6],
    ['subscriptions, active, keyword', '/account/subscription/?status=active&keywords=editor', 0.6],
    ['my products', '/account/my-products/', 0.6],
    ['my products, offline', '/account/my-products/?subscriptionType=1', 0.6],
    ['renewals', '/account/my-products/renewals/', 0.6],
    ['roadmap', '/account/roadmap/', 0.6],
    ['roadmap, current, keyword', '/account/roadmap/?currentQuarter=1&status=in_beta&keyword=a', 0.6],
    ['search', '/account/search/?keyWord=editor', 0.5],
    ['search of a computer', '/account/search/?keyWord=MIG-0012', 0.5],
    ['users', `/account/subscriptions/${largeTeam}/users/`, 0.6],
    ['users, page 400', `/account/subscriptions/${largeTeam}/users/?page=400`, 0.6],
    ['users, keyword', `/account/subscriptions/${largeTeam}/users/?keyWord=user-00`, 0.6],
    ['licenses', '/account/licenses/', 0.6],
    ['licenses, page 100', '/account/licenses/?page=100', 0.6],
    ['licenses, valid', '/account/licenses/?status=valid&sku=pdf-editor-mac', 0.6],
    ['licenses, keyword', '/account/licenses/?keyWord=0012', 0.6],
    ['email devices', '/account/email-devices/', 0.6],
    ['email devices, page 100', '/account/email-devices/?page=100', 0.6],
    ['devices of a key', `/account/key-devices/?code=${key}`, 0.6],
    ['devices of a key, page 44', `/account/key-devices/?code=${key}&page=44`, 0.6],
  ] as const
  return lists.map(([name, path, floor]) => ({ name, path, floor }))
}
