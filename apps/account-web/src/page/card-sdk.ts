import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { PageSettings } from '@atrium/contract/session.ts'
import type { Stripe, StripeElementLocale } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { queryOptions } from '@tanstack/react-query'
import type { MemberPage } from './page-data.ts'

/**
 * The card provider's browser SDK, loaded from the address in the settings when a card is about to be added. Only screens of a
 * vendor with a card provider use it.
 */
export function cardSdkQuery({ settings, locale }: Pick<MemberPage, 'settings' | 'locale'>) {
  const { scriptUrl, publishableKey } = cardProviderOf(settings)
  return queryOptions({
    queryKey: ['card-sdk', scriptUrl],
    queryFn: async (): Promise<Stripe> => {
      await loadScript(scriptUrl)
      const stripe = await loadStripe(publishableKey, { locale: elementLocale(locale.code) })
      if (!stripe) throw new Error('The card provider’s script is not there.')
      return stripe
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

function cardProviderOf({ cards }: PageSettings): NonNullable<PageSettings['cards']> {
  if (!cards) throw new Error('There is no card provider.')
  return cards
}

/** The provider has its own language codes. */
export function elementLocale(code: LocaleCode): StripeElementLocale {
  if (code === 'pt-br') return 'pt-BR'
  if (code === 'zh-tw') return 'zh-TW'
  const [language = ''] = code.split('-')
  return known.find((one) => one === language) ?? 'en'
}

const known = ['en', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'ru'] as const

/** Once it is loaded, the provider's loader finds it and does not load another one. */
function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The card provider’s script could not be loaded.'))
    }
    document.head.append(script)
  })
}
