import { useSuspenseQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { loadableCode } from './loadable-code.ts'
import { SectionBoundary } from './section-boundary.tsx'

/** A part of a screen that few members see: its code is loaded when it is first shown. */
export function loadablePart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const { code } = loadableCode(load)

  function Loaded(props: Props) {
    const { data: Shown } = useSuspenseQuery(code)
    return <Shown {...props} />
  }

  return function Part(props: Props) {
    return (
      <SectionBoundary skeleton={null}>
        <Loaded {...props} />
      </SectionBoundary>
    )
  }
}
