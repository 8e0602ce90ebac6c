import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * The service of the vendor's desktop product (`docs/activation.md`). It is no browser: no cookie, no Origin. A device is
 * activated with a key, or by signing in: then `ticket` is a service ticket of the single sign-on (one use, 30 s) for
 * `service`, an address at the device itself where the browser left it.
 */

const Mac = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[0-9A-F]{2}([:-]?[0-9A-F]{2}){5}$/, 'mac_invalid')
  .transform((mac) => (mac.replaceAll(/[:-]/g, '').match(/../g) ?? []).join(':'))

const Name = z.string().trim().min(1).max(200)

/** `12.1.0.15345` */
const Version = z.string().regex(/^\d{1,5}(\.\d{1,10}){0,3}$/, 'version_invalid')

/** The key with which a device is activated: its serial number. */
const SerialNumber = z.string().trim().min(5).max(100)

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
  /** `http://127.0.0.1:<port>/…` or `http://[::1]:<port>/…`: what the ticket was issued for. */
  service: z.string().max(500),
  /** Code of the product that starts. */
  appCode: z.string().min(1).max(64),
  hostName: Name,
  mac: Mac,
  appName: Name,
  appVersion: Version,
})

/** By one of two methods. */
export const activateDevice = endpoint({
  method: 'POST',
  path: '/activation/v1/activate/',
  summary: 'Activate a device, with a key or by signing in',
  access: 'device',
  body: z.discriminatedUnion('method', [KeyActivation, EmailActivation]),
  reply: z.object({
    /**
     * The device's own secret for `validate` and `deactivate`; it replaces the one that the device had. With a key, the
     * same device gets the same again.
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
    /** No such key, or it was revoked. */
    unknown_key: 404,
    /** The ticket is used, too old, or for another address. */
    ticket_refused: 401,
    /** The person has no seat in a subscription of this product. */
    no_seat: 403,
    license_expired: 409,
    no_activations_left: 409,
    /** The single sign-on did not answer. */
    sign_on_unavailable: 502,
  },
})

/** Which activation: the device's secret, and the device's address. */
const Activation = z.object({ activationId: z.uuid(), mac: Mac })

export const validateDevice = endpoint({
  method: 'POST',
  path: '/activation/v1/validate/',
  summary: 'Whether a device may still run',
  access: 'device',
  body: Activation,
  reply: z.object({
    /** Why not, where it may not. */
    state: z.enum(['active', 'deactivated', 'license_expired']),
    /** Epoch seconds; 0 means perpetual. */
    expirationDate: z.int(),
  }),
  problems: { unknown_activation: 404 },
})

/**
 * The product releases its activation; again is not an error. It does not count against the yearly allowance, but devices on
 * one key (or seat) may do so only so often an hour (`too_often`).
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
