import { arrayContains, type SQL, sql } from 'drizzle-orm'
import { isNobody } from '../../db/nobody.queries.ts'
import { invoiceFiles, offlineOrders, orders } from '../orders/orders.tables.ts'
import { addressSubject } from '../payments/customers/account-reference.rules.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { billedSubscription } from '../payments/unmatched/unmatched.queries.ts'
import { declinedPurchases, unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { renewalDismissals } from '../products/products.tables.ts'
import { cancellations } from '../subscriptions/auto-renewal/cancellations.tables.ts'
import { movedObjects } from '../subscriptions/moving/moved-objects.tables.ts'
import { changeQuotes } from '../subscriptions/plan-change/change-quotes.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { transferCodes, transfers } from '../transfers/transfers.tables.ts'
import { isMember, type Person, personalTable, withoutAddress } from './personal-table.ts'

/** What a change was asked for, without addresses and names: of a card's billing data only that it changed stays. */
function inputWithout(person: Person) {
  const { input } = providerOperations
  const rest = sql`(${input} - 'before' - 'after' || case when jsonb_exists(${input}, 'email') then '{"email": ""}'::jsonb else '{}'::jsonb end)`
  return withoutAddress(rest, person)
}

const law = 'commercial and tax law keep orders and invoices'

/** Files of a person's orders. @param which of the orders `o` */
const ofOrders = ({ memberId }: Person, which = sql`true`) =>
  sql`${invoiceFiles.orderNumber} in (select o.order_number from ${orders} o
    where o.member_id = ${memberId}::uuid and ${which})`

/** What is nobody's, and was bought with the person's address. */
const isLeftWithAddress = ({ email }: Person) =>
  sql`(${orders.buyer} ->> 'email' = ${email} and ${isNobody(orders.memberId)})`

/** What waits for whoever has the person's address. */
const hasAddressOf = ({ email }: Person): SQL =>
  arrayContains(unmatchedPurchases.addressSubjects, [addressSubject(email)])

/** What was bought, and what of it happens at providers. */
export const purchaseTables = [
  personalTable(orders, {
    noun: 'orders',
    rows: (person) => sql`(${isMember(orders.memberId, person)} or ${isLeftWithAddress(person)})`,
    exported: (person) => isMember(orders.memberId, person),
    priceOf: orders.orderNumber,
    withheld: ['searched', 'payUrl', 'syncNumber', 'refundSyncNumber'],
    erase: {
      // The invoice itself is stored as a PDF by then. Of what is nobody's, the rest is of whoever pays.
      set: (person) => ({
        buyer: sql`case when ${orders.buyer} is null then null
          when ${isLeftWithAddress(person)} then ${orders.buyer} || '{"email": ""}'::jsonb
          else ${orders.buyer} - 'taxIds' || '{"name": "", "company": "", "email": "", "address": []}'::jsonb end`,
        payUrl: '',
        lastDecline: null,
      }),
      keep: {
        [law]: ['orderNumber', 'invoiceNumber', 'lines', 'refundParts', 'invoiceUrl', 'searched', 'locale'],
        'ids at the provider': ['providerId', 'providerNumber', 'providerSubscriptionId'],
      },
    },
  }),
  personalTable(invoiceFiles, {
    noun: 'invoices',
    rows: (person) => ofOrders(person),
    exported: (person) => ofOrders(person, sql`not o.is_price_hidden`),
    // Files of their own in an export.
    withheld: ['pdf'],
    erase: { keep: { [law]: ['orderNumber', 'pdf'] } },
  }),
  personalTable(offlineOrders, {
    noun: 'offlineOrders',
    rows: (person) => isMember(offlineOrders.memberId, person),
    erase: { keep: { [law]: ['orderNumber', 'lines'] } },
  }),
  personalTable(providerCustomers, {
    noun: 'providerCustomers',
    rows: (person) => isMember(providerCustomers.memberId, person),
    withheld: ['addressFingerprint'],
    erase: {
      set: () => ({ addressFingerprint: null }),
      keep: {
        'needed to delete it at the provider, and deleted with that': ['customerId'],
        'a code of ours': ['proof'],
      },
    },
  }),
  personalTable(unmatchedPurchases, {
    noun: 'purchasesToBeChecked',
    rows: (person) =>
      sql`(${isMember(unmatchedPurchases.memberId, person)} or ${unmatchedPurchases.email} = ${person.email}
        or ${hasAddressOf(person)})`,
    // Somebody else may have typed the person's address.
    exported: (person) =>
      sql`(${isMember(unmatchedPurchases.memberId, person)}
        or ${unmatchedPurchases.email} = ${person.email} and ${unmatchedPurchases.memberId} is null)`,
    // Who has paid may be somebody else, and the vendor's words are for the operator.
    withheld: ['email', 'addressSubjects', 'lessThanPlan'],
    priceOf: billedSubscription(),
    erase: {
      set: (person) => ({
        email: '',
        // The empty one says that it must not come back.
        addressSubjects: sql`array_remove(${unmatchedPurchases.addressSubjects}, ${addressSubject(person.email)}) || array['']`,
        memberId: sql`nullif(${unmatchedPurchases.memberId}, ${person.memberId}::uuid)`,
      }),
      keep: {
        'names and codes of ours': ['provider', 'kind', 'reason', 'currency', 'terms', 'lessThanPlan'],
        'ids at the provider, where what was paid is looked up': ['objectId', 'customerId', 'providerSubscriptionId'],
        'times and amounts': ['payments'],
      },
    },
  }),
  personalTable(declinedPurchases, {
    noun: 'declinedPurchases',
    rows: (person) => isMember(declinedPurchases.memberId, person),
    erase: 'delete',
  }),
  personalTable(providerOperations, {
    noun: 'paymentOperations',
    rows: (person) => isMember(providerOperations.memberId, person),
    priceOf: providerOperations.subject,
    withheld: ['input', 'result', 'requestId'],
    erase: {
      set: (person) => ({
        input: inputWithout(person),
        result: withoutAddress(providerOperations.result, person),
        detail: null,
        address: null,
      }),
      keep: {
        'names and codes of ours': ['kind', 'problem', 'declineCode', 'currency'],
        'ids of the request and of the provider’s objects': ['subject', 'objectId', 'requestId'],
      },
    },
  }),
  personalTable(subscriptions, {
    noun: 'subscriptions',
    rows: (person) => isMember(subscriptions.memberId, person),
    priceOf: subscriptions.id,
    withheld: ['dueUrl', 'pendingApproval', 'providerItems', 'syncNumber'],
    erase: {
      set: () => ({
        ...{ dueUrl: '', ownCard: '', payingCard: null, declinedCard: '', lastDecline: null },
        pendingApproval: null,
      }),
      keep: {
        'what was bought: it explains the orders': [
          'id',
          'productCode',
          'trialProduct',
          'lateIncreases',
          'parentId',
          'orgCode',
          'pendingChange',
          'nextPlan',
        ],
        'ids and codes at the provider': [
          'providerId',
          'customerId',
          'providerItems',
          'pendingPlanId',
          'paidBy',
          'declineCode',
        ],
        'a code of ours: how it was known whose it is': ['proof'],
        'a link of the vendor': ['manageUrl'],
      },
    },
  }),
  personalTable(cancellations, {
    noun: 'cancellations',
    rows: (person) => isMember(cancellations.memberId, person),
    erase: {
      set: () => ({ comment: '' }),
      keep: { 'what was canceled, and the codes of why: counted': ['subscriptionId', 'reasons'] },
    },
  }),
  personalTable(changeQuotes, {
    noun: 'planChangeQuotes',
    rows: (person) => isMember(changeQuotes.memberId, person),
    priceOf: changeQuotes.subscriptionId,
    withheld: ['version', 'items', 'paidBefore'],
    erase: 'delete',
  }),
  personalTable(renewalDismissals, {
    noun: 'dismissedReminders',
    rows: (person) => isMember(renewalDismissals.memberId, person),
    erase: 'delete',
  }),
  personalTable(transferCodes, {
    noun: 'transferCodes',
    rows: (person) =>
      sql`(${isMember(transferCodes.memberId, person)} or ${isMember(transferCodes.recipientId, person)}
        or ${transferCodes.email} = ${person.email})`,
    exported: (person) => isMember(transferCodes.memberId, person),
    // The recipient's address and card are not the sender's.
    withheld: ['currentHash', 'recipientHash', 'email', 'offer', 'recipientId'],
    erase: 'delete',
  }),
  personalTable(movedObjects, {
    noun: 'transferredSubscriptions',
    rows: (person) => isMember(movedObjects.memberId, person),
    withheld: ['customerId'],
    erase: { keep: { 'ids: whose the orders of then are': ['providerId', 'subscriptionId', 'customerId'] } },
  }),
  personalTable(transfers, {
    noun: 'transfers',
    rows: (person) => sql`(${isMember(transfers.memberId, person)} or ${isMember(transfers.recipientId, person)})`,
    erase: { keep: { 'ids: whose the orders were': ['subscriptionIds'] } },
  }),
]
