/** Requests to a frame that wait for an answer. */
export interface Questions<Answer> {
  /**
   * @param send resolves with whether the request could be sent; what it throws is thrown
   * @returns `undefined` when the frame is missing, goes away, or does not answer in time
   */
  ask(send: (id: number) => Promise<boolean>): Promise<Answer | undefined>
  answer(id: number, answer: Answer): void
  /** The frame is gone or was reloaded: pending questions resolve without an answer. */
  end(): void
}

/** @param timeoutMs from the moment a question was sent */
export function newQuestions<Answer>(timeoutMs: number): Questions<Answer> {
  const waiting = new Map<number, (answer?: Answer) => void>()
  let last = 0
  return {
    ask(send) {
      last += 1
      const id = last
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const finish = (answer?: Answer) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        }
        waiting.set(id, finish)
        const wait = (isSent: boolean) => {
          if (!isSent) finish()
          else if (waiting.has(id)) timer = setTimeout(finish, timeoutMs)
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
      for (const finish of waiting.values()) finish()
    },
  }
}
