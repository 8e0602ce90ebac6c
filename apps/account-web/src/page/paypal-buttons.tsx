import type { LocaleCode } from '@atrium/contract/locale.ts'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { useMantineStyleNonce } from '@mantine/core'
import { PayPalButtons, PayPalScriptProvider, usePayPalScriptReducer } from '@paypal/react-paypal-js'
import type { ReactNode } from 'react'
import { usePage } from './page-data.ts'

interface Props {
  /** PayPal's order, which the server has made. */
  orderId: string
  currency: string
  isDisabled: boolean
  /** The customer has approved it, as the page hears: the server asks PayPal. */
  onApprove(): void
  /** The customer has left PayPal's window without an approval. */
  onCancel(): void
  /** PayPal's window could not be shown. */
  onFailure(): void
  /** What stands in its place if it cannot be loaded. */
  fallback: ReactNode
}

/** PayPal's own button, which opens its window. Its script is loaded from the address in the settings when it is shown first. */
export function PaypalButtons({ currency, ...props }: Props) {
  const { settings, locale } = usePage()
  const nonce = useMantineStyleNonce()?.()
  const { paypal } = settings
  if (!paypal) throw new Error('The vendor does not take PayPal.')
  const options = {
    clientId: paypal.clientId,
    sdkBaseUrl: paypal.scriptUrl,
    components: 'buttons',
    intent: 'capture',
    currency,
    locale: paypalLocale(locale.code),
    ...(nonce && { dataCspNonce: nonce }),
  }

  return (
    <PayPalScriptProvider options={options}>
      <Button {...props} />
    </PayPalScriptProvider>
  )
}

function Button({ orderId, isDisabled, onApprove, onCancel, onFailure, fallback }: Omit<Props, 'currency'>) {
  const [{ isPending, isInitial, isRejected }] = usePayPalScriptReducer()
  if (isRejected) return fallback
  return (
    <>
      {(isPending || isInitial) && <Skeleton width="100%" height={45} />}
      <PayPalButtons
        style={{ layout: 'horizontal', tagline: false, height: 45 }}
        disabled={isDisabled}
        forceReRender={[orderId]}
        createOrder={async () => orderId}
        onApprove={async () => onApprove()}
        onCancel={onCancel}
        onError={onFailure}
      />
    </>
  )
}

/** PayPal writes the region in capitals. */
function paypalLocale(code: LocaleCode): string {
  const [language = 'en', region = 'us'] = code.split('-')
  return `${language}_${region.toUpperCase()}`
}
