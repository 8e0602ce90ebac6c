import * as z from 'zod/mini'
import { type Configuration, colors, labels } from '../wire/messages.ts'
import { parameters } from './parameters.ts'

/** A handler of the merchant's page, which knows its parameters. */
type Handler = (...given: unknown[]) => unknown

/** The handlers and the look that the merchant gives to `Buttons`. Others are for parts that the stand-in does not have. */
export interface ButtonsOptions {
  fundingSource?: unknown
  style?: unknown
  createOrder?: Handler
  createSubscription?: Handler
  onInit?: Handler
  onClick?: Handler
  onApprove?: Handler
  onCancel?: Handler
  onError?: Handler
}

const radii = { rect: 4, pill: 55, sharp: 0 } as const

const Style = z.object({
  color: z._default(z.enum(colors), 'gold'),
  label: z._default(z.enum(labels), 'paypal'),
  shape: z._default(z.enum(['rect', 'pill', 'sharp']), 'rect'),
  layout: z._default(z.enum(['vertical', 'horizontal']), 'vertical'),
  height: z._default(z.number().check(z.gte(25), z.lte(55)), 45),
  borderRadius: z.optional(z.number().check(z.gte(0), z.lte(55))),
  disableMaxWidth: z._default(z.boolean(), false),
})

/**
 * The look of the button.
 * @throws Error for a style that PayPal refuses too
 */
export function configurationOf({ style }: ButtonsOptions): Configuration {
  const read = Style.safeParse(style ?? {})
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Error(`Invalid prop: style.${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
  }
  const { color, label, shape, height, borderRadius, disableMaxWidth } = read.data
  return {
    locale: parameters.locale,
    color,
    label,
    height,
    radius: borderRadius ?? radii[shape],
    hasMaxWidth: !disableMaxWidth,
    isDisabled: false,
  }
}

/** @throws Error for options that contradict each other, or the parameters of the script */
export function refuseContradiction({ createOrder, createSubscription }: ButtonsOptions): void {
  if (createOrder && createSubscription) {
    throw new Error('Do not pass both createOrder and createSubscription to paypal.Buttons.')
  }
  if (!createOrder && !createSubscription) {
    throw new Error('Pass createOrder or createSubscription to paypal.Buttons.')
  }
  if (createSubscription && !(parameters.hasVault && parameters.intent === 'subscription')) {
    throw new Error('createSubscription needs vault=true and intent=subscription in the address of the SDK.')
  }
}
