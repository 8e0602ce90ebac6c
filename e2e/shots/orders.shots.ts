import { demo } from '../support/lists.ts'
import { changed, click, failing } from '../support/screenshot-acts.ts'
import { answered, prepared, preparing } from '../support/screenshot-answers.ts'
import type { Shot } from './shot.ts'

/** With orders from January to December. */
const year = new Date().getUTCFullYear() - 1

export const orderShots: readonly Shot[] = [
  { name: 'my-orders', as: demo('ada'), path: '/account?tab=my-orders' },
  {
    name: 'my-orders-filtered',
    as: demo('ada'),
    path: '/account?tab=my-orders&status=CO&range=one-year&keyWord=folio',
  },
  { name: 'my-orders-no-match', as: demo('ada'), path: '/account?tab=my-orders&keyWord=typewriter' },
  { name: 'my-orders-empty', as: demo('noor'), path: '/account?tab=my-orders' },
  {
    name: 'my-orders-failing',
    as: demo('ada'),
    path: '/account?tab=my-orders',
    act: (page) => failing(page, 'online-orders'),
  },
  {
    name: 'my-orders-wordless',
    as: demo('ada'),
    path: '/account?tab=my-orders',
    act: (page) => failing(page, 'dictionaries'),
  },
  { name: 'my-orders-offline', as: demo('ada'), path: '/account?tab=my-orders&list=offline' },
  { name: 'my-orders-offline-empty', as: demo('noor'), path: '/account?tab=my-orders&list=offline' },
  { name: 'quote', as: demo('ada'), path: '/account?tab=my-orders&list=offline&quote=new' },
  {
    name: 'quote-invalid',
    as: demo('noor'),
    path: '/account?tab=my-orders&quote=volume',
    act: (page) => click(page, '[role=dialog] button[type=submit]'),
  },
  {
    name: 'orders-refunded',
    as: demo('ada'),
    path: '/account?tab=my-orders',
    act: (page) =>
      changed(page, 'online-orders', { orderRefundedAmount: 1250, orderRefundDate: '2026-06-03T23:30:00.000Z' }),
  },
  { name: 'orders-year', as: demo('ada'), path: `/account?tab=my-orders&range=${year}` },
  { name: 'orders-year-currencies', as: demo('yuki'), path: `/account?tab=my-orders&range=${year}` },
  { name: 'orders-many', as: demo('bulk'), path: '/account?tab=my-orders' },
  {
    name: 'orders-zip-preparing',
    as: demo('linus'),
    path: '/account?tab=my-orders',
    act: (page) => answered(page, preparing),
  },
  {
    name: 'orders-zip-ready',
    as: demo('linus'),
    path: '/account?tab=my-orders',
    act: (page) => answered(page, prepared),
  },
]
