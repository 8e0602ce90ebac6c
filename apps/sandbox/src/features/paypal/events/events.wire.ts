import type { paypalDeliveries } from '../store/paypal.tables.ts'
import type { Event, Webhook } from '../store/stored.ts'

type Delivery = typeof paypalDeliveries.$inferSelect

export const notificationsPath = '/v1/notifications'

/** An event as it is delivered. */
export function wireEvent(publicUrl: string, event: Event) {
  const href = `${publicUrl}${notificationsPath}/webhooks-events/${event.id}`
  return {
    id: event.id,
    event_version: '1.0',
    create_time: event.createdAt,
    resource_type: event.resourceType,
    resource_version: event.resourceVersion,
    event_type: event.type,
    summary: event.summary,
    resource: event.resource,
    links: [
      { href, rel: 'self', method: 'GET' },
      { href: `${href}/resend`, rel: 'resend', method: 'POST' },
    ],
  }
}

/** With the state of its deliveries, as the API shows it. */
export function eventWithDeliveries(
  publicUrl: string,
  event: Event,
  { deliveries, webhooks }: { deliveries: readonly Delivery[]; webhooks: readonly Webhook[] },
) {
  const transmissions = deliveries.map((delivery) => ({
    webhook_url: webhooks.find(({ id }) => id === delivery.webhookId)?.url ?? '',
    transmission_id: delivery.transmissionId,
    status: statusOf(delivery),
    http_status: Number(/^\d{3}$/.exec(delivery.outcome)?.[0] ?? 0),
  }))
  return { ...wireEvent(publicUrl, event), transmissions }
}

function statusOf({ nextAt, deliveredAt }: Delivery): 'PENDING' | 'SUCCESS' | 'FAILURE' {
  if (nextAt !== null) return 'PENDING'
  return deliveredAt === null ? 'FAILURE' : 'SUCCESS'
}

export function wireWebhook(publicUrl: string, { id, url, eventTypes }: Webhook) {
  const href = `${publicUrl}${notificationsPath}/webhooks/${id}`
  return {
    id,
    url,
    event_types: eventTypes.map((name) => ({ name, description: '' })),
    links: [
      { href, rel: 'self', method: 'GET' },
      { href, rel: 'update', method: 'PATCH' },
      { href, rel: 'delete', method: 'DELETE' },
    ],
  }
}
