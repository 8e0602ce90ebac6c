import type { PageSettings } from '@atrium/contract/session.ts'
import type { AccountConfig } from '../../config.ts'
import { paypalSdkUrl } from '../../outside/paypal/sdk-url.ts'

/** The settings that the page needs. */
export function pageSettings(config: AccountConfig): PageSettings {
  return {
    brandName: config.BRAND_NAME,
    brandColor: config.BRAND_COLOR,
    siteUrl: config.SITE_URL,
    ssoUrl: config.SSO_URL,
    passwordUrl: config.PASSWORD_URL ?? null,
    feedbackUrl: config.FEEDBACK_URL,
    ticketsUrl: config.TICKETS_URL,
    adminConsoleUrl: config.ADMIN_CONSOLE_URL,
    cards:
      config.CARD_PROVIDER === 'none'
        ? null
        : { scriptUrl: config.STRIPE_SCRIPT_URL, publishableKey: config.STRIPE_PUBLISHABLE_KEY },
    paypal:
      config.PAYPAL === 'none'
        ? null
        : { scriptUrl: paypalSdkUrl(config.PAYPAL_API_URL), clientId: config.PAYPAL_CLIENT_ID },
  }
}
