import type { Deps } from '../../../deps.ts'
import type { PrepaidPayment } from '../../../outside/card-provider/prepaid-invoices.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'

/**
 * Takes the invoice of a renewal back, unless it is paid.
 * @throws ProviderFailure `unknown` while the provider cannot void it, since a payment of it is in progress
 */
export async function takeBack({ discardPrepaid }: Deps['cards'], invoiceId: string): Promise<PrepaidPayment> {
  const payment = await discardPrepaid(invoiceId)
  if (payment.state === 'void' || payment.state === 'paid') return payment
  throw new ProviderFailure('unknown', new Error('the invoice of a renewal is still open'))
}
