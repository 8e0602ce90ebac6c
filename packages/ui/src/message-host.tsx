import { Notifications } from '@mantine/notifications'

/** The place of the messages; `messages.tsx` loads it. */
export function MessageHost() {
  return <Notifications position="bottom-center" containerWidth={420} transitionDuration={150} />
}
