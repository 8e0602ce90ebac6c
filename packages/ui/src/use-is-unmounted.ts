import { type RefObject, useEffect, useRef } from 'react'

/** Whether the component is unmounted, for a callback that runs later. */
export function useIsUnmounted(): RefObject<boolean> {
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  return isUnmounted
}
