/** Owner conditions whose removal changes nothing that anybody could see, by file and text, and why. */
export const equivalent: ReadonlyMap<string, string> = new Map<string, string>([
  [
    "activation/activation.queries.ts: eq(seats.memberId, sql.placeholder('memberId'))",
    'it only locks: more rows would wait for each other, and none would be read or changed',
  ],
  [
    'activity/activity.writes.ts: eq(activity.memberId, memberId)',
    'the actor, who is asked for beside it, is the member',
  ],
  [
    'products/products.queries.ts: eq(subscriptions.memberId, member.id)',
    'it locks the row; the prompt is then looked for among those of the member’s own subscriptions',
  ],
  [
    "cloud/cloud.queries.ts: eq(sessions.memberId, sql.placeholder('memberId'))",
    'the id of the session and the member were read together, from the cookie',
  ],
  [
    'payments/customers/customer-address.ts: eq(providerCustomers.memberId, memberId)',
    'the id of the customer, which is unique, was read for this member',
  ],
  [
    'payments/customers/delete-customer.ts: eq(providerCustomers.memberId, memberId)',
    'the id of the customer, which is unique, was stored with this member’s operation',
  ],
  [
    'payments/operations/operations.writes.ts: eq(providerOperations.memberId, memberId)',
    'the time would be later than those of other members too: the order of a member’s operations stays',
  ],
])
