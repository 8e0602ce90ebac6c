type Handler = (...given: never[]) => unknown

interface Listener {
  handler: Handler
  isOnce: boolean
}

export interface Emitter {
  on(name: string, handler: Handler, isOnce?: boolean): void
  /** Without `handler`, removes all of them. */
  off(name: string, handler?: Handler): void
  emit(name: string, event: object): void
}

/** Event handlers by name. One that throws does not prevent the others. */
export function newEmitter(): Emitter {
  const listeners = new Map<string, Listener[]>()
  const of = (name: string) => listeners.get(name) ?? []
  const store = (name: string, stored: Listener[]) => listeners.set(name, stored)

  return {
    on(name, handler, isOnce = false) {
      store(name, [...of(name), { handler, isOnce }])
    },
    off(name, handler) {
      store(name, handler ? of(name).filter((listener) => listener.handler !== handler) : [])
    },
    emit(name, event) {
      const called = of(name)
      store(
        name,
        called.filter(({ isOnce }) => !isOnce),
      )
      for (const { handler } of called) {
        try {
          // The merchant knows the handler's parameters.
          Reflect.apply(handler, undefined, [event])
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}
