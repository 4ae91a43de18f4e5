import { StoreError } from '../store-error.ts'

interface Question<Key, Answer> {
  /** Answers for each of the keys, of which each is there once. */
  readonly ask: (keys: readonly Key[]) => Promise<(key: Key) => Answer>
  /** Tells equal keys. */
  readonly nameOf: (key: Key) => string
  /** Runs the work once what comes at the same time has come, such as at the end of this turn of the event loop. */
  readonly soon: (work: () => void) => void
}

/**
 * Asks one question for all that is asked at the same time. If the server refuses it, because of what one of them asks, each is asked
 * by itself.
 */
export function gather<Key, Answer>({ ask, nameOf, soon }: Question<Key, Answer>): (key: Key) => Promise<Answer> {
  let open: { readonly keys: Map<string, Key>; readonly answered: Promise<(key: Key) => Answer> } | undefined

  function begin() {
    const keys = new Map<string, Key>()
    const answered = new Promise<void>(soon).then(() => {
      open = undefined
      return ask([...keys.values()])
    })
    return { keys, answered }
  }

  return async (key) => {
    open ??= begin()
    const { keys, answered } = open
    keys.set(nameOf(key), key)
    try {
      return (await answered)(key)
    } catch (error) {
      if (keys.size === 1 || error instanceof StoreError) throw error
      return (await ask([key]))(key)
    }
  }
}
