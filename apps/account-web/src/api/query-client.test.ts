import { CallProblem } from '@atrium/ui/call-problem.ts'
import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { activityKey, newQueryClient, refetchFailed, storeReply } from './query-client.ts'

test('a poll that stopped when the session had ended goes on after signing in again; what succeeded is not loaded again', async () => {
  const queryClient = newQueryClient()
  let isSignedIn = false
  const poll = vi.fn(() => {
    if (!isSignedIn) throw new CallProblem('signed_out', { status: 401 })
    return 'support is here'
  })
  const list = vi.fn(() => 'a list')
  const polled = new QueryObserver(queryClient, { queryKey: ['poll'], queryFn: poll, initialData: '', staleTime: 0 })
  const stops = [polled, new QueryObserver(queryClient, { queryKey: ['list'], queryFn: list })].map((observer) =>
    observer.subscribe(() => undefined),
  )
  await expect.poll(() => polled.getCurrentResult().status).toBe('error')

  isSignedIn = true
  await refetchFailed(queryClient)

  expect(polled.getCurrentResult()).toMatchObject({ status: 'success', data: 'support is here' })
  expect(poll).toHaveBeenCalledTimes(2)
  expect(list).toHaveBeenCalledTimes(1)
  for (const stop of stops) stop()
})

test('what a change answered stays, though a list that was requested before it comes later', async () => {
  const queryClient = newQueryClient()
  const late = Promise.withResolvers<string>()
  const queryFn = vi.fn(() => (queryFn.mock.calls.length === 1 ? 'before' : late.promise))
  const list = new QueryObserver(queryClient, { queryKey: ['list'], queryFn })
  const stop = list.subscribe(() => undefined)
  await expect.poll(() => list.getCurrentResult().data).toBe('before')
  void list.refetch()

  await storeReply(queryClient, ['list'], 'changed')
  late.resolve('before')
  await late.promise
  await Promise.resolve()

  expect(list.getCurrentResult()).toMatchObject({ data: 'changed', isFetching: false })
  stop()
})

test('what was just changed is in the activity, which is loaded again; a change that failed loads nothing', async () => {
  const queryClient = newQueryClient()
  const read = vi.fn(() => 'rows')
  const activity = new QueryObserver(queryClient, { queryKey: [...activityKey, {}, 1], queryFn: read })
  const stop = activity.subscribe(() => undefined)
  await expect.poll(() => read).toHaveBeenCalledTimes(1)

  const failing = new MutationObserver(queryClient, { mutationFn: () => Promise.reject(new Error('refused')) })
  await expect(failing.mutate()).rejects.toThrow('refused')
  expect(read).toHaveBeenCalledTimes(1)
  await new MutationObserver(queryClient, { mutationFn: () => Promise.resolve('granted') }).mutate()

  await expect.poll(() => read).toHaveBeenCalledTimes(2)
  stop()
})
