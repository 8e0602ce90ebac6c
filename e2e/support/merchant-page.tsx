import {
  CardCvcElement,
  CardElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  PaymentElement,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js'
import type { StripeElementsOptions, StripeError, StripePaymentElementOptions } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** What a journey wants of the page, in its address. */
const wanted = new URLSearchParams(location.search)
const family = wanted.get('family') ?? 'payment'
const given = JSON.parse(wanted.get('options') ?? '{}')
const options: StripeElementsOptions = given.clientSecret
  ? given
  : { mode: 'setup', currency: 'usd', paymentMethodCreation: 'manual', ...given }
const payment: StripePaymentElementOptions = JSON.parse(wanted.get('payment') ?? '{}')
const style = { base: { color: '#1d1b18', fontSize: '16px' }, invalid: { color: '#c4302b' } }

declare global {
  interface Window {
    /** For journeys: what the page was told, and what it holds. */
    merchant: {
      messages: unknown[]
      events: { name: string; event: unknown }[]
      stripe: Promise<ReturnType<typeof useStripe>>
      elements: ReturnType<typeof useElements>
    }
  }
}

const stripe = loadScript().then(() => loadStripe('pk_test_journeys'))
window.merchant = { messages: [], events: [], stripe, elements: null }
addEventListener('message', ({ data }) => window.merchant.messages.push(data))
const note = (name: string) => (event?: unknown) => window.merchant.events.push({ name, event })

/** The account page does the same: only the address differs from the provider's. */
function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = document.documentElement.dataset.sdk ?? ''
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('no script'))
    document.head.append(script)
  })
}

function CardForm() {
  const stripe = useStripe()
  const elements = useElements()
  window.merchant.elements = elements
  const [problem, setProblem] = useState<StripeError>()
  const [result, setResult] = useState<object>()

  async function save() {
    setProblem(undefined)
    setResult(undefined)
    if (!stripe || !elements) return
    const { error: fault } = family === 'payment' ? await elements.submit() : {}
    if (fault) return setProblem(fault)

    const card = elements.getElement(CardNumberElement) ?? elements.getElement(CardElement)
    const billing_details = { name: 'Gesa Journey' }
    const made =
      family === 'payment' || !card
        ? await stripe.createPaymentMethod({ elements, params: { billing_details } })
        : await stripe.createPaymentMethod({ type: 'card', card, billing_details })
    if (made.error) return setProblem(made.error)

    const reply = await fetch('/setup-intents', { method: 'POST', body: made.paymentMethod.id })
    const { error, status, client_secret: clientSecret } = await reply.json()
    if (error) return setProblem(error)
    const asked = status === 'requires_action' ? await stripe.handleNextAction({ clientSecret }) : undefined
    if (asked?.error) return setProblem(asked.error)
    setResult({ status: asked?.setupIntent?.status ?? status, card: made.paymentMethod.card })
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit}>
      <Fields />
      <button type="submit" disabled={!stripe}>
        Save card
      </button>
      <p role="alert">{problem && JSON.stringify(problem)}</p>
      <output>{result && JSON.stringify(result)}</output>
    </form>
  )
}

function Fields() {
  const told = {
    onReady: () => note('ready')(),
    onChange: note('change'),
    onFocus: note('focus'),
    onBlur: note('blur'),
    onEscape: note('escape'),
    onLoadError: note('loaderror'),
  }
  if (family === 'payment') return <PaymentElement options={payment} {...told} />
  if (family === 'card') {
    return (
      <div className="field">
        <CardElement options={{ style }} {...told} />
      </div>
    )
  }
  return (
    <>
      <div className="field">
        <label htmlFor="number">Number</label>
        <CardNumberElement id="number" options={{ style, showIcon: true }} {...told} />
      </div>
      <div className="field">
        <label htmlFor="expiry">Expiry</label>
        <CardExpiryElement id="expiry" options={{ style }} {...told} />
      </div>
      <div className="field">
        <label htmlFor="code">Code</label>
        <CardCvcElement id="code" options={{ style }} {...told} />
      </div>
    </>
  )
}

createRoot(document.getElementById('page') ?? document.body).render(
  <StrictMode>
    <Elements stripe={stripe} options={options}>
      <CardForm />
    </Elements>
  </StrictMode>,
)
