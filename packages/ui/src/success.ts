import type { NotificationData } from '@mantine/notifications'
import { loadMessageCode } from './message-code.ts'
import { breakpoints } from './theme.ts'

/** Shows that something worked, also to a screen reader. `milliseconds`: how long it stays. */
export function showSuccess(message: string, milliseconds = 5000): void {
  void show({ message, color: 'var(--good)', role: 'status', autoClose: milliseconds })
}

/** Shows a failure that has no place of its own on the page. */
export function showFailure(message: string): void {
  void show({ message, color: 'var(--bad)', role: 'alert', autoClose: 8000 })
}

/** The page shows something else: what was said of the last one goes with it. */
export function clearMessages(): void {
  if (isAnyShown) void loadMessageCode().then(({ notifications }) => notifications.clean())
}

let isAnyShown = false
let shownSuccess: string | undefined

async function show(data: NotificationData) {
  isAnyShown = true
  const { notifications } = await loadMessageCode()
  // On a phone several would cover what one needs next: the newest takes the place of a success. A failure stays for its time.
  const isPhone = window.matchMedia(`(max-width: ${breakpoints.sheet - 1}px)`).matches
  if (isPhone && shownSuccess) notifications.hide(shownSuccess)
  const id = notifications.show({ withBorder: true, ...data })
  if (data.role === 'status') shownSuccess = id
}
