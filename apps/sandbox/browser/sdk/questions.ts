/** Questions to a frame that wait for their answers. */
export interface Questions<Answer> {
  /**
   * @param send resolves when it is sent: whether there was anybody to send it to
   * @returns nothing when the frame is not there, goes, or does not answer in time. What `send` throws is thrown.
   */
  ask(send: (id: number) => Promise<boolean>): Promise<Answer | undefined>
  answer(id: number, answer: Answer): void
  /** The frame is gone, or knows nothing any more: whoever still waits has no answer. */
  end(): void
}

/** @param patience with a question that was sent, in milliseconds */
export function newQuestions<Answer>(patience: number): Questions<Answer> {
  const waiting = new Map<number, (answer?: Answer) => void>()
  let last = 0
  return {
    ask(send) {
      last += 1
      const id = last
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const settle = (answer?: Answer) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        }
        waiting.set(id, settle)
        const wait = (isSent: boolean) => {
          if (!isSent) settle()
          else if (waiting.has(id)) timer = setTimeout(settle, patience)
        }
        send(id).then(wait, (refusal) => {
          waiting.delete(id)
          reject(refusal)
        })
      })
    },
    answer(id, answer) {
      waiting.get(id)?.(answer)
    },
    end() {
      for (const settle of waiting.values()) settle()
    },
  }
}
