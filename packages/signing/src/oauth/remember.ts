/**
 * The same function with a memory of its last argument: for a pure function of a text that many requests in a row share, such
 * as the sender or the second. Never for a value of a request.
 */
export function remember<T>(ask: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined
  return (text) => {
    if (last === undefined || last.text !== text) {
      const copy = copyOf(text)
      if (copy !== text) return ask(text)
      last = { text: copy, answer: ask(copy) }
    }
    return last.answer
  }
}

/** The same text in memory of its own: a slice would keep the whole text that it was cut from alive. */
export function copyOf(text: string): string {
  return String(Buffer.from(String(text)))
}
