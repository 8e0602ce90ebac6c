/**
 * Every kind of provider operation. Payments knows kinds as words; what they mean is a definition of a noun above, and `app.ts`
 * has one for each (a kind without one is a type error there).
 */
export type OperationKind =
  | 'customer.create'
  | 'card.add'
  | 'card.cancel_setup'
  | 'card.update'
  | 'card.set_default'
  | 'card.remove'
