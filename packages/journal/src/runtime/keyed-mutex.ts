/** Runs the calls of one name after another, in the order in which they came. */
export type InTurn = <Result>(name: string, call: () => Promise<Result>) => Promise<Result>

/**
 * A customer who presses twice is shown the answer to the second press. It has to come after that to the first one: until then
 * nobody knows more than that the payment is on its way, and there is no form to go to. A call in another process waits by
 * `waitWhileSent`.
 */
export function inTurn(): InTurn {
  const lastCalls = new Map<string, Promise<unknown>>()
  return async (name, call) => {
    const before = lastCalls.get(name)
    const mine = before === undefined ? call() : before.then(call, call)
    lastCalls.set(name, mine)
    try {
      return await mine
    } finally {
      if (lastCalls.get(name) === mine) lastCalls.delete(name)
    }
  }
}
