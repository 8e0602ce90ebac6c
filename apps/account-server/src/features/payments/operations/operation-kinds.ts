/**
 * Every kind of provider operation. Payments knows the names only; each is defined by a noun above and registered in `app.ts`,
 * where a missing one is a type error.
 */
export type OperationKind =
  | 'customer.create'
  | 'customer.delete'
  | 'card.add'
  | 'card.cancel_setup'
  | 'card.update'
  | 'card.set_default'
  | 'card.remove'
  | 'subscription.turn_off_renewal'
  | 'subscription.turn_on_renewal'
  | 'subscription.cancel_at_paypal'
  | 'subscription.change'
  | 'subscription.change_by_order'
  | 'subscription.give_up_change'
  | 'subscription.refund_difference'
  | 'subscription.pay'
  | 'subscription.change_card'
  | 'subscription.renew'
  | 'subscription.end_moved'
  | 'subscription.continue_moved'
