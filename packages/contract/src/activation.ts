import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Line } from './text.ts'

/**
 * The API of the vendor's desktop product (`docs/activation.md`), which is not a browser: no cookie, no Origin. A device is
 * activated with a key, or by signing in. Then `ticket` is a service ticket of the single sign-on (one use, 30 s) for
 * `service`, the address on the device where the browser ended.
 */

const Mac = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[0-9A-F]{2}([:-]?[0-9A-F]{2}){5}$/, 'mac_invalid')
  .transform((mac) => (mac.replaceAll(/[:-]/g, '').match(/../g) ?? []).join(':'))

const Name = Line(200).min(1)

/** `12.1.0.15345` */
const Version = z.string().regex(/^\d{1,5}(\.\d{1,10}){0,3}$/, 'version_invalid')

/** The key that activates the device: its serial number. */
const SerialNumber = Line(100).min(5)

const KeyActivation = z.object({
  method: z.literal('keycode'),
  sn: SerialNumber,
  macAddress: Mac,
  pcName: Name,
  appVersion: Version,
})

const EmailActivation = z.object({
  method: z.literal('email'),
  ticket: z.string().regex(/^ST-[A-Za-z0-9._-]{1,253}$/),
  /** `http://127.0.0.1:<port>/…` or `http://[::1]:<port>/…`: the service that the ticket was issued for. */
  service: z.string().max(500),
  /** Product code of the starting program. */
  appCode: z.string().min(1).max(64),
  hostName: Name,
  mac: Mac,
  appName: Name,
  appVersion: Version,
})

export const activateDevice = endpoint({
  method: 'POST',
  path: '/activation/v1/activate/',
  summary: 'Activate a device, with a key or by signing in',
  access: 'device',
  body: z.discriminatedUnion('method', [KeyActivation, EmailActivation]),
  reply: z.object({
    /**
     * The device's secret for `validate` and `deactivate`; replaces an earlier one. With a key, the same device gets the same
     * secret again.
     */
    activationId: z.uuid(),
    productCode: z.string(),
    licenseId: z.string(),
    /** Epoch seconds; 0 means perpetual. */
    expirationDate: z.int(),
    seats: z.int(),
    activeDevices: z.int(),
  }),
  problems: {
    /** The key does not exist or was revoked. */
    unknown_key: 404,
    /** The ticket is used, expired, or for another service. */
    ticket_refused: 401,
    /** The member has no seat in a subscription for this product, or more are taken there than are paid, and theirs came last. */
    no_seat: 403,
    license_expired: 409,
    no_activations_left: 409,
    /** The single sign-on did not answer. */
    sign_on_unavailable: 502,
  },
})

/** An activation: the device's secret and its MAC address. */
const Activation = z.object({ activationId: z.uuid(), mac: Mac })

export const validateDevice = endpoint({
  method: 'POST',
  path: '/activation/v1/validate/',
  summary: 'Whether a device may still run',
  access: 'device',
  body: Activation,
  reply: z.object({
    /** Why the device may not run. */
    state: z.enum(['active', 'deactivated', 'license_expired']),
    /** The program that may run: another may have taken the place of the one that was activated. */
    productCode: z.string(),
    /** Epoch seconds; 0 means perpetual. */
    expirationDate: z.int(),
  }),
  problems: { unknown_activation: 404 },
})

/**
 * The product releases its activation; idempotent. Does not count against the yearly allowance, but is limited per key (or
 * seat) and hour (`too_often`).
 */
export const deactivateDevice = endpoint({
  method: 'POST',
  path: '/activation/v1/deactivate/',
  summary: 'Release an activation',
  access: 'device',
  body: Activation,
  reply: z.object({ state: z.literal('deactivated') }),
  problems: { unknown_activation: 404 },
})
