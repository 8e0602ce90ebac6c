import { demo } from '../support/lists.ts'
import {
  backFromPaypal,
  changed,
  click,
  failing,
  turningOff,
  turningOffUnconfirmed,
  wantingSeats,
} from '../support/screenshot-acts.ts'
import type { Shot } from './shot.ts'

/** The dialog of a change, whose subscription's id is known once the demo is loaded. */
const changing = (name: string, dialog: string) => `/account?tab=my-subscriptions&dialog=${dialog}&sid={${name}}`

export const subscriptionShots: readonly Shot[] = [
  { name: 'subscriptions', as: demo('ada'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-due', as: demo('grace'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-due-partner', as: demo('omar'), path: '/account?tab=my-subscriptions' },
  {
    name: 'subscriptions-due-paypal',
    as: demo('grace'),
    path: '/account?tab=my-subscriptions',
    act: (page) => changed(page, 'subscription', { stripeSdkUrl: '', payType: 'paypal' }),
  },
  {
    name: 'subscriptions-due-bank',
    as: demo('grace'),
    path: '/account?tab=my-subscriptions',
    act: (page) => changed(page, 'subscription', { needsConfirmation: 1 }),
  },
  { name: 'subscriptions-turn-off', as: demo('ada'), path: '/account?tab=my-subscriptions', act: turningOff },
  {
    name: 'subscriptions-turn-off-unconfirmed',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: turningOffUnconfirmed,
  },
  {
    name: 'subscriptions-menu',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: (page) => click(page, 'main [aria-haspopup=menu]'),
  },
  { name: 'subscriptions-change-seats', as: demo('ada'), path: changing('ada-editor', 'more') },
  {
    name: 'subscriptions-change-too-many',
    as: demo('ada'),
    path: changing('ada-editor', 'more'),
    act: (page) => wantingSeats(page, 200),
  },
  { name: 'subscriptions-change-annual', as: demo('ada'), path: changing('ada-esign', 'annual') },
  { name: 'subscriptions-renew', as: demo('ada'), path: changing('ada-mac', 'renew') },
  { name: 'subscriptions-change-upgrade', as: demo('kai'), path: changing('kai-suite', 'upgrade') },
  {
    name: 'subscriptions-turn-off-invalid',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: async (page) => {
      await turningOff(page)
      await click(page, '[role=dialog] button[type=submit]')
    },
  },
  { name: 'transfer', as: demo('ada'), path: '/account?tab=my-subscriptions&dialog=transfer' },
  {
    name: 'transfer-invalid',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions&dialog=transfer',
    act: (page) => click(page, '[role=dialog] button[type=submit]'),
  },
  { name: 'transfer-not-possible', as: demo('grace'), path: '/account?tab=my-subscriptions&dialog=transfer' },
  { name: 'subscriptions-roles', as: demo('pia'), path: '/account?tab=my-subscriptions' },
  { name: 'subscriptions-no-match', as: demo('ada'), path: '/account?tab=my-subscriptions&keywords=typewriter' },
  { name: 'subscriptions-empty', as: demo('noor'), path: '/account?tab=my-subscriptions' },
  {
    name: 'subscriptions-failing',
    as: demo('ada'),
    path: '/account?tab=my-subscriptions',
    act: (page) => failing(page, 'subscription'),
  },
  {
    name: 'subscriptions-paypal-back',
    as: demo('yuki'),
    path: '/account?tab=my-subscriptions',
    act: (page) => backFromPaypal(page, 'hang'),
  },
  {
    name: 'subscriptions-paypal-away',
    as: demo('yuki'),
    path: '/account?tab=my-subscriptions',
    act: (page) => backFromPaypal(page, 'fail'),
  },
  {
    name: 'subscriptions-confirm-renewal',
    as: demo('yuki'),
    path: '/account?tab=my-subscriptions',
    act: (page) => changed(page, 'subscription', { paypalRenewConfirm: 1 }),
  },
  { name: 'subscriptions-offline', as: demo('omar'), path: '/account?tab=my-subscriptions&defaultTab=offline' },
]
