import { PayPalButtons, PayPalScriptProvider, usePayPalScriptReducer } from '@paypal/react-paypal-js'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** What a journey wants of the page, in its address. */
const wanted = new URLSearchParams(location.search)
const isSubscription = wanted.get('what') !== 'order'
const provider = document.documentElement.dataset.provider ?? ''

declare global {
  interface Window {
    /** Creates what is to be approved, as the merchant's server does. @returns its id */
    createAtServer(what: string): Promise<string>
  }
}

const options = {
  clientId: wanted.get('client') ?? 'client_journeys',
  sdkBaseUrl: `${provider}/paypal/sdk/js`,
  components: 'buttons',
  currency: 'USD',
  locale: wanted.get('locale') ?? 'en_US',
  ...(isSubscription ? { vault: true, intent: 'subscription' } : { intent: 'capture' }),
}

function Checkout() {
  const [{ isRejected }] = usePayPalScriptReducer()
  const [told, setTold] = useState<unknown[]>([])
  const [isDisabled, setDisabled] = useState(false)
  const tell = (name: string, data: unknown) => setTold((before) => [...before, { name, data }])
  const create = () => window.createAtServer(isSubscription ? 'subscription' : 'order')

  return (
    <>
      <PayPalButtons
        style={JSON.parse(wanted.get('style') ?? '{}')}
        disabled={isDisabled}
        {...(isSubscription ? { createSubscription: create } : { createOrder: create })}
        onClick={(data, actions) => {
          tell('click', data)
          return wanted.has('reject') ? actions.reject() : actions.resolve()
        }}
        onApprove={async (data) => tell('approve', data)}
        onCancel={(data) => tell('cancel', data)}
        onError={(error) => tell('error', String(error))}
      />
      <button type="button" onClick={() => setDisabled(!isDisabled)}>
        Switch off
      </button>
      {isRejected && <p role="alert">The script was not loaded.</p>}
      <output>{JSON.stringify(told)}</output>
    </>
  )
}

createRoot(document.getElementById('page') ?? document.body).render(
  <StrictMode>
    <PayPalScriptProvider options={options}>
      <Checkout />
    </PayPalScriptProvider>
  </StrictMode>,
)
