import type { KeyDevice } from '@atrium/contract/devices.ts'

/**
 * The state of a device (000 §4). `removable`: Deactivate. `locked`: active, and cannot be deactivated now. `earlier`:
 * Deactivated, of version 11 or earlier. `inactive`: Activate.
 */
export type KeyDeviceState = 'removable' | 'locked' | 'earlier' | 'inactive'

type Flags = Pick<KeyDevice, 'status' | 'canDeactivate' | 'earlierVersionTip'>

export function stateOf({ status, canDeactivate, earlierVersionTip }: Flags): KeyDeviceState {
  if (status !== 0) return 'inactive'
  if (canDeactivate === 1) return 'removable'
  return earlierVersionTip === 1 ? 'earlier' : 'locked'
}
