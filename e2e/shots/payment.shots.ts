import { demo } from '../support/lists.ts'
import {
  addingCard,
  chosenLast,
  click,
  failing,
  invalidAddress,
  refusedForGood,
  replacingCard,
} from '../support/screenshot-acts.ts'
import type { Shot } from './shot.ts'

const addresses = '/account?tab=billing-address-management'
const cards = '/account?tab=payment-option-management'

export const paymentShots: readonly Shot[] = [
  { name: 'cards', as: demo('ada'), path: cards },
  { name: 'cards-menu', as: demo('ada'), path: cards, act: (page) => click(page, 'main [aria-haspopup=menu]') },
  { name: 'cards-add', as: demo('ada'), path: cards, act: addingCard },
  { name: 'cards-edit', as: demo('ada'), path: cards, act: (page) => click(page, 'main li button') },
  { name: 'cards-remove', as: demo('ada'), path: cards, act: chosenLast },
  { name: 'cards-empty', as: demo('noor'), path: cards },
  { name: 'cards-failing', as: demo('ada'), path: cards, act: (page) => failing(page, 'cards') },
  { name: 'addresses', as: demo('ada'), path: addresses },
  { name: 'addresses-menu', as: demo('ada'), path: addresses, act: (page) => click(page, 'main [aria-haspopup=menu]') },
  { name: 'addresses-add', as: demo('ada'), path: addresses, act: (page) => click(page, 'main header button') },
  { name: 'addresses-edit', as: demo('ada'), path: addresses, act: (page) => click(page, 'main li button') },
  { name: 'addresses-invalid', as: demo('ada'), path: addresses, act: invalidAddress },
  { name: 'addresses-delete', as: demo('ada'), path: addresses, act: chosenLast },
  { name: 'addresses-delete-final', as: demo('ada'), path: addresses, act: refusedForGood },
  { name: 'addresses-empty', as: demo('noor'), path: addresses },
  { name: 'addresses-failing', as: demo('ada'), path: addresses, act: (page) => failing(page, 'billing-addresses') },
  { name: 'cards-replace', as: demo('ada'), path: cards, act: replacingCard },
  { name: 'cards-declined', as: demo('grace'), path: cards },
]
