import { notifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { showFailure, showSuccess } from './success.ts'

beforeEach(() => {
  notifications.clean()
  return () => vi.unstubAllGlobals()
})

function onScreen(isPhone: boolean) {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: isPhone }) })
}

async function expectShown(messages: readonly string[]) {
  const shown = () => notificationsStore.getState().notifications.map(({ message }) => message)
  await expect.poll(shown).toEqual(messages)
}

test('on a phone a message takes the place of a success, but a failure stays until it is closed or timed out', async () => {
  onScreen(true)
  showSuccess('Address added')
  await expectShown(['Address added'])
  showFailure('Not downloaded')
  await expectShown(['Not downloaded'])
  showSuccess('Address removed')
  await expectShown(['Not downloaded', 'Address removed'])
  showSuccess('Profile updated')
  await expectShown(['Not downloaded', 'Profile updated'])
  showFailure('Not copied')
  await expectShown(['Not downloaded', 'Not copied'])
})

test('a wider screen has room for all', async () => {
  onScreen(false)
  showSuccess('Address added')
  await expectShown(['Address added'])
  showSuccess('Address removed')
  await expectShown(['Address added', 'Address removed'])
})
