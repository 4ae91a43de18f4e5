import 'reflect-metadata'
import { type OutcomeFilter, type OutcomeStatus, type ReadFilter, readFilter } from './outcome-filter.ts'

/** The key of the filters. They are on the prototype, so that another decorator that wraps the method does not lose them. */
const FILTERS = Symbol.for('@tallystick/nest-module:on-payment-outcome')

/**
 * Calls the method with outcomes: `@OnPaymentOutcome('approved')`, `@OnPaymentOutcome({ operation: 'return', instance: 'eu' })`.
 * For any provider or controller, including request-scoped ones. A method that is decorated twice is called once with each
 * outcome that passes either filter.
 *
 * It gets a `ConfirmedOutcome`, or a `JournaledOutcome` if the instance has a journal. If it throws, all methods that listen for
 * the outcome are called with it again later. The app does not start if the method could never be called, or the filter names a
 * status, an operation, a kind or an instance that does not exist. Nest's log warns of a class that no module provides.
 *
 * @param filter a status, or an {@link OutcomeFilter}. Default: every outcome of every instance, but no notices
 * @throws TypeError on anything but a method, and for an unknown option of the filter
 */
export function OnPaymentOutcome(filter: OutcomeStatus | OutcomeFilter = {}): MethodDecorator {
  return (target, method, descriptor?: PropertyDescriptor) => {
    if (typeof descriptor?.value !== 'function' || typeof target === 'function') {
      throw new TypeError(`@OnPaymentOutcome is for methods of instances; ${nameOf(target)}.${String(method)} is none`)
    }
    const where = `@OnPaymentOutcome of ${nameOf(target)}.${String(method)}`
    const read = readFilter(where, typeof filter === 'string' ? { status: filter } : filter)
    Reflect.defineMetadata(FILTERS, [...filtersOf(target, method), read], target, method)
    rememberPrototype(target)
  }
}

/** The filters of a method; none if it is not decorated. It inherits those of a method that it overrides. */
export function filtersOf(prototype: object, method: string | symbol): readonly ReadFilter[] {
  return Reflect.getMetadata(FILTERS, prototype, method) ?? []
}

function nameOf(target: object): string {
  return typeof target === 'function' ? target.name : target.constructor.name
}

/**
 * The prototypes with a method with `@OnPaymentOutcome` that no app of this process has looked for yet. Nest knows what modules
 * provide, but not which classes were forgotten. The references are weak, so that a class that is no longer used disappears.
 */
const references: WeakRef<object>[] = []

function rememberPrototype(prototype: object): void {
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
