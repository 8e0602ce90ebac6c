import { useState } from 'react'
import { loadableDialog } from '../../page/loadable-dialog.tsx'

export const { Dialog: ReplaceComputerDialog, preload: preloadReplacing } = loadableDialog(
  async () => (await import('./replace-computer-dialog.tsx')).ReplaceComputerDialog,
)

/** Which dialog of a list of devices is open, and of which device: one may follow the other. */
export function useDeviceDialogs<Device>() {
  const [open, setOpen] = useState<{ dialog: 'deactivate' | 'replace'; device: Device }>()

  return {
    deactivated: open?.dialog === 'deactivate' ? open.device : undefined,
    replaced: open?.dialog === 'replace' ? open.device : undefined,
    onDeactivate: (device: Device) => setOpen({ dialog: 'deactivate', device }),
    onReplace: (device: Device) => setOpen({ dialog: 'replace', device }),
    onClose: () => setOpen(undefined),
  }
}
