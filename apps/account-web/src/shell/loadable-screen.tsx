import { type ComponentType, lazy, useState } from 'react'
import { loadTexts } from '../languages.ts'

interface LoadableScreen {
  Screen: ComponentType
  /** Loads the screen's code, once. */
  loadScreen(): Promise<unknown>
}

/**
 * A screen whose code, with the texts of its nouns, comes when it is wanted. Once loaded, it is shown without a skeleton in between: a lazy component
 * has one even then, and React keeps it for 300 ms.
 */
export function loadableScreen(nouns: readonly string[], load: () => Promise<ComponentType>): LoadableScreen {
  let loaded: ComponentType | undefined
  const loadScreen = async () => {
    const [screen] = await Promise.all([load(), loadTexts(...nouns)])
    loaded = screen
    return { default: screen }
  }
  const LazyScreen = lazy(loadScreen)

  function Screen() {
    // Chosen once: another component would be another screen, and forget its state.
    const [{ Shown }] = useState(() => ({ Shown: loaded ?? LazyScreen }))
    return <Shown />
  }
  return { Screen, loadScreen }
}
