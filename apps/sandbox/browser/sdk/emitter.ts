type Handler = (...given: never[]) => unknown

interface Listener {
  handler: Handler
  isOnce: boolean
}

export interface Emitter {
  on(name: string, handler: Handler, isOnce?: boolean): void
  /** Without a handler: all of them. */
  off(name: string, handler?: Handler): void
  emit(name: string, event: object): void
}

/** Handlers of events by name. One that throws keeps no other from being called. */
export function newEmitter(): Emitter {
  const listeners = new Map<string, Listener[]>()
  const of = (name: string) => listeners.get(name) ?? []
  const keep = (name: string, kept: Listener[]) => listeners.set(name, kept)

  return {
    on(name, handler, isOnce = false) {
      keep(name, [...of(name), { handler, isOnce }])
    },
    off(name, handler) {
      keep(name, handler ? of(name).filter((listener) => listener.handler !== handler) : [])
    },
    emit(name, event) {
      const called = of(name)
      keep(
        name,
        called.filter(({ isOnce }) => !isOnce),
      )
      for (const { handler } of called) {
        try {
          // What a handler takes is the merchant's to know.
          Reflect.apply(handler, undefined, [event])
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}
