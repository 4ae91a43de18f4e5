import 'reflect-metadata'
import { rememberPrototype } from './decorated-prototypes.ts'
import { type OutcomeFilter, type OutcomeStatus, type ReadFilter, readFilter } from './outcome-filter.ts'

/** Under this key, on the prototype, so that another decorator which wraps the method takes nothing away. */
const FILTERS = Symbol.for('@tallystick/nest-module:on-payment-outcome')

/**
 * The method is told of outcomes: `@OnPaymentOutcome('approved')`, `@OnPaymentOutcome({ operation: 'return', instance: 'eu' })`.
 * On any provider or controller, request-scoped ones too. Decorated twice, it hears what either lets through, once.
 *
 * It gets a `ConfirmedOutcome`, or a `JournaledOutcome` where the instance has a journal. When it throws, the outcome comes
 * again later, to all methods that hear it. The app does not start when it could never be told, or names a status, an
 * operation, a kind or an instance that does not exist. A class that no module provides is warned of in Nest's log.
 *
 * @param filter a status, or an {@link OutcomeFilter}. Default: every outcome of every instance, notices not
 * @throws TypeError on anything but a method, and for a name that is no filter's
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

/** The filters of a method; none where it is not decorated. Those of a method that it overrides are its own. */
export function filtersOf(prototype: object, method: string | symbol): readonly ReadFilter[] {
  return Reflect.getMetadata(FILTERS, prototype, method) ?? []
}

function nameOf(target: object): string {
  return typeof target === 'function' ? target.name : target.constructor.name
}
