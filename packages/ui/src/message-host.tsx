import { Notifications } from '@mantine/notifications'

/** Where the messages of `success.ts` appear. Once a page; load it lazily. */
export function MessageHost() {
  return <Notifications position="bottom-center" containerWidth={420} transitionDuration={150} />
}
