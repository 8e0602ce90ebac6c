const asked = Promise.withResolvers<void>()

/** Resolves once something has asked for the code that shows messages, and it is there. */
export const messageCode = asked.promise.then(load)

/** Loads the code that shows messages. Without a connection it arrives when there is one again. */
export function loadMessageCode(): typeof messageCode {
  asked.resolve()
  return messageCode
}

async function load() {
  for (;;) {
    try {
      const [{ MessageHost }, { notifications }] = await Promise.all([
        import('./message-host.tsx'),
        import('@mantine/notifications'),
      ])
      return { MessageHost, notifications }
    } catch {
      await nextChance()
    }
  }
}

/** When the connection comes back, or the user does something. */
function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const seen = new AbortController()
    for (const type of ['online', 'pointerdown', 'keydown']) {
      addEventListener(
        type,
        () => {
          seen.abort()
          resolve()
        },
        { signal: seen.signal },
      )
    }
  })
}
