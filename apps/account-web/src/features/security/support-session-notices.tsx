import { SupportSessionNotice } from './support-session-notice.tsx'
import { usePolledSupportSessions } from './support-sessions.data.ts'

/** On every tab: the support agents who are in the account now, found within five seconds. */
export function SupportSessionNotices() {
  const { sessions } = usePolledSupportSessions()
  return (
    <div role="status">
      {sessions.map((session) => (
        <SupportSessionNotice key={session.id} session={session} />
      ))}
    </div>
  )
}
