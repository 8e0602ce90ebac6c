import { type RefObject, useEffect, useRef } from 'react'

/** Whether the reader has left what began something that ends later. */
export function useGone(): RefObject<boolean> {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return isGone
}
