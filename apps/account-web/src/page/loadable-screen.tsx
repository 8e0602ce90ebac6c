import { useSuspenseQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { loadableCode } from './loadable-code.ts'
import { loadTexts } from './texts.ts'

interface LoadableScreen {
  Screen: ComponentType
  /** Loads the screen's code, once. */
  loadScreen(): Promise<unknown>
}

/** A screen whose code and texts are loaded on demand. */
export function loadableScreen(nouns: readonly string[], load: () => Promise<ComponentType>): LoadableScreen {
  const { code, loadCode } = loadableCode(async () => {
    const [screen] = await Promise.all([load(), loadTexts(...nouns)])
    return screen
  })

  function Screen() {
    const { data: Shown } = useSuspenseQuery(code)
    return <Shown />
  }
  return { Screen, loadScreen: loadCode }
}
