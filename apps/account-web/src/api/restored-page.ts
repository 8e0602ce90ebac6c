import { readSession } from '@atrium/contract/session.ts'
import { callOnce } from './call.ts'

/**
 * A page that Back restores from the browser's memory may be of a session that has ended since: it is hidden while it lies there, until
 * the server has said that the same person is still signed in.
 * @param onChecked loads again what may have changed meanwhile
 */
export function checkRestoredPage(onChecked: () => void): void {
  const { style } = document.documentElement

  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) style.visibility = 'hidden'
  })

  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return
    style.visibility = 'hidden'
    try {
      await callOnce(readSession)
    } catch {
      // The server shows whose turn it is, or the browser that it is offline.
      return location.reload()
    }
    style.visibility = ''
    onChecked()
  })
}
