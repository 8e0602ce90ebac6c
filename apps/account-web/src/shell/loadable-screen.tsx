import { type ComponentType, lazy, useState } from 'react'

interface LoadableScreen {
  Screen: ComponentType
  /** Loads the screen's code, once. */
  loadScreen(): Promise<unknown>
}

/**
 * A screen whose code comes when it is wanted. Once loaded, it is shown without a skeleton in between: a lazy component
 * has one even then, and React keeps it for 300 ms.
 */
export function loadableScreen(load: () => Promise<ComponentType>): LoadableScreen {
  let loaded: ComponentType | undefined
  const loadScreen = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const LazyScreen = lazy(loadScreen)

  function Screen() {
    // Chosen once: another component would be another screen, and forget its state.
    const [{ Shown }] = useState(() => ({ Shown: loaded ?? LazyScreen }))
    return <Shown />
  }
  return { Screen, loadScreen }
}
