import {
  click,
  enterSupport,
  newIdentity,
  openedBySupport,
  supportAgent,
  wrongPassword,
} from '../support/screenshot-acts.ts'
import type { Shot } from './shot.ts'

export const signOnShots: readonly Shot[] = [
  { name: 'sso-sign-in', path: `/cas/login?service=${encodeURIComponent('ACCOUNT/account')}` },
  { name: 'sso-wrong', path: `/cas/login?service=${encodeURIComponent('ACCOUNT/account')}`, act: wrongPassword },
  {
    name: 'sso-confirm-identity',
    path: '/cas/login',
    act: (page) => newIdentity(page, 'grete.neumann@hochschule.test'),
  },
  { name: 'sso-sign-up', path: '/sign-up' },
  { name: 'sso-forgotten', path: '/forgotten-password' },
  { name: 'sso-refused', path: '/cas/login?service=https%3A%2F%2Felsewhere.test' },
  { name: 'sso-signed-out', path: '/cas/logout' },
  { name: 'sso-popup', path: '/reset-password' },
  { name: 'sso-not-found', path: '/nothing-here' },
  { name: 'sso-choose-password', path: '/choose-password' },
  { name: 'sandbox', program: 'sandbox', path: '/' },
  { name: 'sandbox-not-found', program: 'sandbox', path: '/nothing-here' },
  { name: 'sandbox-shop', program: 'sandbox', path: '/site' },
  { name: 'support-sign-in', as: supportAgent, path: '/support', act: enterSupport },
  {
    name: 'support-refused',
    as: supportAgent,
    path: '/support',
    act: (page) => openedBySupport(page, 'grace@folio.test'),
  },
  {
    name: 'support-session',
    as: supportAgent,
    path: '/support',
    act: (page) => openedBySupport(page, 'mina@folio.test'),
  },
  {
    name: 'support-ended',
    as: supportAgent,
    path: '/support/account',
    act: (page) => click(page, 'section:has(strong) button'),
  },
]
