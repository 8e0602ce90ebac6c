import type { Event, Webhook } from '../store/stored.ts'

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
