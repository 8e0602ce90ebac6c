/** Questions to a frame that wait for their answers. */
export interface Questions<Answer> {
  ask(send: (id: number) => void): Promise<Answer>
  answer(id: number, answer: Answer): void
  /** The frame is gone: whoever still waits is answered this. */
  end(answer: Answer): void
}

export function newQuestions<Answer>(): Questions<Answer> {
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0
  return {
    ask(send) {
      last += 1
      const id = last
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send(id)
      })
    },
    answer(id, answer) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
    end(answer) {
      for (const resolve of waiting.values()) resolve(answer)
      waiting.clear()
    },
  }
}
