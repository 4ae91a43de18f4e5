const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype]

/** Everything on the prototypes to which a careless reader may write. */
export function prototypes(): readonly unknown[] {
  return PROTOTYPES.flatMap((prototype) =>
    Reflect.ownKeys(prototype).flatMap((name) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
      return [name, value, get, set]
    }),
  )
}

/** Whether everything on them is still as before. */
export function areUntouched(before: readonly unknown[]): boolean {
  const now = prototypes()
  return now.length === before.length && now.every((item, at) => Object.is(item, before[at]))
}
