import { demo } from '../support/lists.ts'
import {
  chosenLast,
  click,
  computerReleased,
  deviceMenu,
  invitingOthers,
  keysOf,
  openKey,
  removingUser,
} from '../support/screenshot-acts.ts'
import type { Shot } from './shot.ts'

const users = '/account?tab=license-management&subId={ada-editor}'

export const licenseShots: readonly Shot[] = [
  { name: 'licenses', as: demo('ada'), path: '/account?tab=license-management' },
  { name: 'licenses-team', as: demo('ada'), path: '/account?tab=license-management&sku=pdf-editor-plus' },
  { name: 'licenses-bulk', as: demo('bulk'), path: '/account?tab=license-management' },
  { name: 'licenses-no-match', as: demo('ada'), path: '/account?tab=license-management&keyWord=zzz' },
  { name: 'licenses-empty', as: demo('noor'), path: '/account?tab=license-management' },
  {
    name: 'licenses-menu',
    as: demo('ada'),
    path: '/account?tab=license-management',
    act: (page) => click(page, 'main [aria-haspopup=menu]'),
  },
  {
    name: 'licenses-key',
    as: demo('ada'),
    path: '/account?tab=license-management',
    act: (page) => click(page, 'main .mantine-Button-root[aria-label$="L-2025-0010"]:not([aria-haspopup])'),
  },
  { name: 'users', as: demo('ada'), path: users },
  { name: 'users-refused', as: demo('pia'), path: users },
  { name: 'users-add', as: demo('ada'), path: users, act: (page) => click(page, 'main header button') },
  { name: 'users-report', as: demo('ada'), path: users, act: invitingOthers },
  { name: 'users-remove', as: demo('mina'), path: users, act: removingUser },
  { name: 'devices-email', as: demo('ada'), path: '/account?tab=device-management' },
  { name: 'devices-empty', as: demo('noor'), path: '/account?tab=device-management' },
  { name: 'devices-keycode', as: demo('ada'), path: '/account?tab=device-management&method=keycode' },
  { name: 'devices-keys', as: demo('ada'), path: keysOf('L-2025-0010') },
  { name: 'devices-all', as: demo('ada'), path: keysOf('L-2025-0010'), act: (page) => openKey(page, 0) },
  {
    name: 'devices-tooltip',
    as: demo('ada'),
    path: keysOf('L-2025-0010'),
    act: async (page) => {
      await openKey(page, 1)
      await page
        .getByRole('listitem')
        .or(page.getByRole('row'))
        .filter({ hasText: 'PLOTTER' })
        .getByRole('button')
        .first()
        .hover()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'devices-expired',
    as: demo('ada'),
    path: keysOf('L-2023-0012'),
    act: (page) => openKey(page, 0),
  },
  {
    name: 'devices-deactivate',
    as: demo('ada'),
    path: keysOf('L-2025-0010'),
    act: async (page) => {
      await openKey(page, 0)
      await click(page, 'main :is(td, li) button[class*=action]')
    },
  },
  { name: 'devices-menu', as: demo('omar'), path: '/account?tab=device-management', act: deviceMenu },
  { name: 'computer-replace', as: demo('omar'), path: '/account?tab=device-management', act: chosenLast },
  { name: 'computer-released', as: demo('omar'), path: '/account?tab=device-management', act: computerReleased },
  { name: 'computers-found', as: demo('ada'), path: '/account?tab=device-management&method=keycode&keyWord=LAPTOP' },
]
