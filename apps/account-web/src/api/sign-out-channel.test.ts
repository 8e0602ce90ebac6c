import { signOutChannel } from '@atrium/contract/popups.ts'
import { expect, test } from 'vitest'
import { openSignOutChannel } from './sign-out-channel.ts'

test('other tabs receive a sign-out, and nothing else', async () => {
  const heard: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const leaving = openSignOutChannel(() => heard.push('leaving'))
  const staying = openSignOutChannel(() => {
    heard.push('staying')
    resolve()
  })
  const stranger = new BroadcastChannel(signOutChannel)
  stranger.postMessage({ type: 'loginSuccess' })
  leaving.publish()
  await promise

  expect(heard).toEqual(['staying'])
  leaving.close()
  staying.close()
  stranger.close()
})
