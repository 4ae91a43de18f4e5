/**
 * The prototypes with a method with `@OnPaymentOutcome` that no app of this process has looked for yet: Nest tells what modules
 * provide, and cannot tell what was forgotten. Held weakly: a class that nobody uses any more is none.
 */
const references: WeakRef<object>[] = []

export function rememberPrototype(prototype: object): void {
  references.push(new WeakRef(prototype))
}

/**
 * Those that are none of what an app provides, nor what one of it extends. Each is looked for once, by the first app that
 * starts after it was decorated: where several are in one process, as in tests, none is to hear of the others' classes.
 */
export function takeForgotten(provided: readonly object[]): readonly object[] {
  const decorated = references.splice(0).map((reference) => reference.deref())
  return [...new Set(decorated)]
    .filter((prototype) => prototype !== undefined)
    .filter(
      (prototype) => !provided.some((one) => one === prototype || Object.prototype.isPrototypeOf.call(prototype, one)),
    )
}
