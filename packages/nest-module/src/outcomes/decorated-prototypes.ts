/**
 * The prototypes with a method with `@OnPaymentOutcome` that no app of this process has looked for yet. Nest knows what modules
 * provide, but not which classes were forgotten. The references are weak, so that a class that is no longer used disappears.
 */
const references: WeakRef<object>[] = []

export function rememberPrototype(prototype: object): void {
  references.push(new WeakRef(prototype))
}

/**
 * Gives the prototypes that an app neither provides nor extends in a class that it provides. Only the first app that starts after
 * a class was decorated looks for it: if several apps are in one process, as in tests, none is to warn of the others' classes.
 */
export function takeForgotten(provided: readonly object[]): readonly object[] {
  const decorated = references.splice(0).map((reference) => reference.deref())
  return [...new Set(decorated)]
    .filter((prototype) => prototype !== undefined)
    .filter(
      (prototype) => !provided.some((one) => one === prototype || Object.prototype.isPrototypeOf.call(prototype, one)),
    )
}
