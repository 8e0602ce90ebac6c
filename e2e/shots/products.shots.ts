import { demo } from '../support/lists.ts'
import { click, failing } from '../support/screenshot-acts.ts'
import { answered, cloudAccount } from '../support/screenshot-answers.ts'
import type { Shot } from './shot.ts'

const products = '/account?tab=my-products'

export const productShots: readonly Shot[] = [
  { name: 'my-products', as: demo('kai'), path: products },
  { name: 'my-products-ada', as: demo('ada'), path: products },
  { name: 'my-products-due', as: demo('grace'), path: products },
  {
    name: 'my-products-banner',
    as: demo('kai'),
    path: products,
    act: (page) => click(page, 'main section button[aria-expanded]'),
  },
  { name: 'my-products-over', as: demo('kai'), path: `${products}&product=pdf-editor-mac` },
  { name: 'my-products-offline', as: demo('kai'), path: `${products}&list=offline` },
  { name: 'my-products-shared', as: demo('pia'), path: products },
  { name: 'my-products-empty', as: demo('noor'), path: products },
  { name: 'my-products-console', as: demo('sofia'), path: products },
  { name: 'my-products-no-console', as: demo('uma'), path: products },
  { name: 'my-products-ask', as: demo('theo'), path: products },
  {
    name: 'my-products-failing',
    as: demo('ada'),
    path: products,
    act: (page) => failing(page, 'my-products'),
  },
  { name: 'roadmap', as: demo('ada'), path: '/account?tab=roadmap' },
  { name: 'roadmap-filtered', as: demo('ada'), path: '/account?tab=roadmap&currentQuarter=1&status=in_beta' },
  {
    name: 'roadmap-failing',
    as: demo('ada'),
    path: '/account?tab=roadmap',
    act: (page) => failing(page, 'roadmap'),
  },
  {
    name: 'cloud-region',
    as: demo('yuki'),
    path: products,
    act: async (page) => {
      await answered(page, cloudAccount(''))
      await click(page, 'main button[aria-haspopup=dialog]')
    },
  },
  {
    name: 'cloud-launch',
    as: demo('yuki'),
    path: products,
    act: async (page) => {
      await answered(page, cloudAccount('eu'))
      await click(page, 'main button[aria-haspopup=dialog]')
    },
  },
]
