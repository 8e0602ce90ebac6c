/** Whether an address is PayPal's own, not a stand-in's. */
export function isPaypal(apiUrl: string): boolean {
  return new URL(apiUrl).hostname.endsWith('.paypal.com')
}

/** PayPal's browser SDK: one address for real and sandbox apps, whose client id tells which it is. */
export function paypalSdkUrl(apiUrl: string): string {
  return isPaypal(apiUrl) ? 'https://www.paypal.com/sdk/js' : `${apiUrl}/paypal/sdk/js`
}
