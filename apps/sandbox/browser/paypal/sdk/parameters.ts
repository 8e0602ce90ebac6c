/** The script's own element, only available during its first run. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined

const address = URL.parse(script?.src ?? '')

/** What the merchant asks of the SDK, in the address of the script and its attributes. */
export const parameters = {
  /** Where the provider is. */
  origin: address?.origin ?? '',
  clientId: address?.searchParams.get('client-id') ?? '',
  components: (address?.searchParams.get('components') ?? 'buttons').split(','),
  intent: address?.searchParams.get('intent') ?? 'capture',
  hasVault: address?.searchParams.get('vault') === 'true',
  locale: (address?.searchParams.get('locale') ?? navigator.language).replace('_', '-'),
  /** The name of the global object. */
  namespace: script?.dataset.namespace ?? 'paypal',
}
