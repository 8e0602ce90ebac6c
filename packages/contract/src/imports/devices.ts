import { z } from 'zod'
import { AppVersion, Email, Instant, inOrder, MacAddress, PublicId, Text } from './fields.ts'

export const KeyDeviceRecord = z
  .strictObject({
    type: z.literal('key-device'),
    key: Text(100).min(1).describe('Imported before'),
    macAddress: MacAddress,
    pcName: Text(200).min(1),
    appVersion: AppVersion,
    requestDate: Instant.describe('When it was activated'),
    deactivated: Instant.optional().describe('Not before `requestDate`; left out: it is active'),
  })
  .superRefine((device, context) => inOrder(device, context, ['requestDate', 'deactivated']))
  .meta({
    description: 'A device activated with a key. What was deactivated here stays so.',
    naturalKey: ['key', 'macAddress', 'requestDate'],
  })

export const EmailDeviceRecord = z
  .strictObject({
    type: z.literal('email-device'),
    subscriptionId: PublicId,
    email: Email.describe('Of the seat, imported before'),
    hostName: Text(200).min(1),
    mac: MacAddress,
    appName: Text(200).min(1),
    appVersion: AppVersion,
    updated: Instant.describe('When it was activated, or last heard of'),
    deactivated: Instant.optional().describe('Left out: it is active'),
  })
  .meta({
    description:
      'A device activated by e-mail. What was deactivated here stays so, also on a later seat of the person, and so does what ended with a seat since `updated`; one that was activated again here since `updated` and `deactivated` stays active.',
    naturalKey: ['subscriptionId', 'email', 'mac', 'appName'],
  })
