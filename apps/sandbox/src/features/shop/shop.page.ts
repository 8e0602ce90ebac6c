import { randomUUID } from 'node:crypto'
import { type Html, html } from '../../page/html.ts'
import { isCommitted, type Offer, preferredOffer, priceText, type Wanted } from './shop.rules.ts'

const frame = { standsFor: 'the vendor’s shop' }

const countries = [
  ['US', 'United States'],
  ['DE', 'Germany'],
  ['FR', 'France'],
  ['GB', 'United Kingdom'],
  ['JP', 'Japan'],
] as const

interface Shown {
  /** Undefined: they cannot be had now. */
  offers: readonly Offer[] | undefined
  /** Names of prices that PayPal sells too. */
  atPaypal: ReadonlySet<string>
  /** What the address names. */
  wanted: Wanted
  given: Readonly<Record<string, string>>
  trouble?: string
  /** Where the form is sent. */
  action: string
  called: Html
}

/** The shop: one form for a product, a term, seats, and how to pay. */
export function shopPage({ offers, atPaypal, wanted, given, trouble, action, called }: Shown) {
  const chosen = given.price ?? preferredOffer(offers ?? [], wanted)?.priceId
  const seats = given.seats ?? wanted.seats
  return {
    title: 'Shop',
    ...frame,
    content: html`
<p class="lead">No card is real and no money moves. What is bought here reaches the account area by the providers’ webhooks alone.</p>
${trouble && html`<p class="card" role="alert">${trouble}</p>`}
${offers && (offers.length === 0 ? nothingOnSale() : form({ offers, atPaypal, chosen, given: { ...given, seats }, action }))}
<details><summary>How this page was called</summary>${called}</details>`,
  }
}

function nothingOnSale(): Html {
  return html`<p class="card">Nothing is on sale: the card provider has no prices. <code>npm run sync -- catalog</code> makes them from the vendor’s catalog.</p>`
}

interface Form extends Pick<Shown, 'atPaypal' | 'given' | 'action'> {
  offers: readonly Offer[]
  chosen: string | undefined
}

function form({ offers, atPaypal, chosen, given, action }: Form): Html {
  const products = [...Map.groupBy(offers, ({ product }) => product)]
  const option = (offer: Offer) =>
    html`<option value="${offer.priceId}"${offer.priceId === chosen && html` selected`}>${offer.product}: ${priceText(offer)}${isCommitted(offer) && ', for a year'}${atPaypal.has(offer.lookupKey) && ' · PayPal too'}</option>`
  return html`<form class="shop" action="${action}" method="post">
<input type="hidden" name="order" value="${randomUUID()}">
<label>Product and term <select name="price" required>${products.map(
    ([product, sold]) => html`<optgroup label="${product}">${sold.map(option)}</optgroup>`,
  )}</select></label>
<label>Seats <input name="seats" type="number" min="1" max="999" value="${given.seats}" required></label>
<label>Your name <input name="name" autocomplete="name" maxlength="100" value="${given.name ?? ''}" required></label>
<label>Your email address <input name="email" type="email" autocomplete="email" maxlength="254" value="${given.email ?? ''}" required></label>
<label>Country <select name="country">${countries.map(
    ([value, name]) => html`<option value="${value}"${value === given.country && html` selected`}>${name}</option>`,
  )}</select></label>
<div class="bar">
<button name="pay" value="card">Buy by card</button>
<button name="pay" value="paypal">Buy with PayPal</button>
<button name="pay" value="trial">Try it free for 14 days</button>
<button name="pay" value="trial-card">Try it free, with a test card on file</button>
</div>
</form>`
}

/** @param isTrial nothing was paid */
export function thankYouPage(accountAddress: string, isTrial: boolean) {
  return {
    title: 'Thank you',
    ...frame,
    content: html`
<p class="lead">${isTrial ? 'Your free trial has begun.' : 'Your purchase is on its way to your account.'}</p>
<p><a class="button" href="${accountAddress}">My subscriptions</a></p>`,
  }
}
