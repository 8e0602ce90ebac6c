import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Stripe from 'stripe'
import { z } from 'zod'
import { ownForms } from '../../page/own-page.ts'
import { sendPage } from '../../page/page.ts'
import { accountAddress, calledAs } from '../elsewhere/called-as.ts'
import { ownFetch } from './own-requests.ts'
import { cardShop } from './shop.cards.ts'
import { shopPage, thankYouPage } from './shop.page.ts'
import { paypalShop, RefusedByPaypal } from './shop.paypal.ts'
import { accountReference } from './shop.reference.ts'
import { type Offer, Purchase, wantedFrom } from './shop.rules.ts'

interface Config {
  PUBLIC_URL: string
  SANDBOX_URL: string
  SHOP_SIGNING_SECRET: readonly string[]
}
type Given = Readonly<Record<string, string>>

/** English has no language prefix. */
const prefixes = ['', ...['de', 'es', 'fr', 'it', 'ja-jp', 'nl', 'pt', 'ru', 'zh-tw'].map((prefix) => `/${prefix}`)]

/**
 * The vendor's own shop, which sells at the providers and tells the account area nothing.
 * @param now what the providers' business clock shows
 */
export function shopRoutes(app: FastifyInstance, config: Config, now: () => Promise<Date>): void {
  const fetchOwn = ownFetch(app)
  const httpClient = Stripe.createFetchHttpClient(fetchOwn)
  const cards = cardShop(new Stripe('sk_test_sandbox', { httpClient, telemetry: false, maxNetworkRetries: 0 }))
  const paypal = paypalShop(fetchOwn)

  async function showShop(
    request: FastifyRequest,
    reply: FastifyReply,
    { given = {}, trouble }: { given?: Given; trouble?: string },
  ) {
    const offers = await cards.offers().catch(unlessAway)
    const plans = await paypal.plans().catch(() => new Map<string, string>())
    const wanted = wantedFrom(new URL(request.url, config.SANDBOX_URL).searchParams)
    const said = offers ? trouble : 'The card provider does not answer. Please try again in a moment.'
    const shown = { offers, atPaypal: new Set(plans.keys()), wanted, given, ...(said && { trouble: said }) }
    const page = shopPage({
      ...shown,
      action: new URL(request.url, config.SANDBOX_URL).pathname,
      called: calledAs(request.url),
    })
    if (!offers) return sendPage(reply.code(503), page)
    return sendPage(reply.code(trouble ? 422 : 200), page)
  }

  /** @returns where the buyer goes next */
  async function sell(purchase: z.output<typeof Purchase>, offer: Offer, shop: string): Promise<string> {
    const { seats, pay, order } = purchase
    const here = `${config.SANDBOX_URL}${shop}`
    const reference = accountReference(config.SHOP_SIGNING_SECRET[0], purchase.email, await now())
    if (pay === 'card') return cards.subscribe({ order, offer, seats, buyer: purchase, reference })
    if (pay === 'paypal') {
      const planId = (await paypal.plans()).get(offer.lookupKey)
      if (!planId) throw new RefusedByPaypal('This is not sold with PayPal. Choose another term, or pay by card.')
      const urls = { returnUrl: `${here}/thank-you`, cancelUrl: here }
      return paypal.subscribe({ order, planId, quantity: seats, customId: reference ?? purchase.email, ...urls })
    }
    await cards.startTrial({ order, offer, seats, buyer: purchase, reference }, pay === 'trial-card')
    return `${shop}/thank-you?trial=1`
  }

  ownForms(app, (forms) => {
    for (const prefix of prefixes) {
      const shop = `/site${prefix}/shopping`
      forms.get(`${shop}/thank-you`, (request, reply) => {
        const isTrial = new URL(request.url, config.SANDBOX_URL).searchParams.has('trial')
        const address = `${accountAddress(config.PUBLIC_URL, prefix.slice(1))}?tab=my-subscriptions`
        return sendPage(reply, thankYouPage(address, isTrial))
      })
      for (const path of [shop, `${shop}/checkout`]) {
        forms.get(path, (request, reply) => showShop(request, reply, {}))
        forms.post(path, async (request, reply) => {
          const given = z.record(z.string(), z.string()).catch({}).parse(request.body)
          const purchase = Purchase.safeParse(given)
          if (!purchase.success) {
            const trouble = 'Please fill in a product, the seats (1 to 999), your name and an email address.'
            return showShop(request, reply, { given, trouble })
          }
          try {
            const offer = (await cards.offers()).find(({ priceId }) => priceId === purchase.data.price)
            if (!offer) return await showShop(request, reply, { given, trouble: 'This is not on sale any more.' })
            return reply.redirect(await sell(purchase.data, offer, shop), 303)
          } catch (error) {
            if (!(error instanceof Stripe.errors.StripeError || error instanceof RefusedByPaypal)) throw error
            return showShop(request, reply, { given, trouble: error.message })
          }
        })
      }
    }
  })
}

/** A provider that refuses or does not answer; anything else is a fault of ours. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
}
