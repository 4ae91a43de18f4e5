import { type DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core'
import { filtersOf } from './on-payment-outcome.decorator.ts'
import type { ReadFilter } from './outcome-filter.ts'

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]
type Host = NonNullable<Wrapper['host']>

/** A method with `@OnPaymentOutcome`. */
export interface FoundHandler {
  /** For messages: `Checkout.onApproved`. */
  readonly name: string
  readonly method: string
  /** The prototype of the class that has it. */
  readonly prototype: object
  /** The name of the module that provides it. */
  readonly module: string
  readonly filters: readonly ReadFilter[]
  /** The object that has the method: one for each context if it is request-scoped or transient. */
  instanceIn(context: { readonly id: number }): Promise<object>
}

/** Every method with `@OnPaymentOutcome` of all providers and controllers of the app, in the order of its modules. */
export function discoverHandlers(discovery: DiscoveryService): readonly FoundHandler[] {
  const scanner = new MetadataScanner()
  return [...discovery.getProviders(), ...discovery.getControllers()]
    .filter((wrapper) => !wrapper.isAlias)
    .flatMap((wrapper) => handlersOf(wrapper, scanner))
}

function handlersOf(wrapper: Wrapper, scanner: MetadataScanner): readonly FoundHandler[] {
  const { host } = wrapper
  const prototype = prototypeOf(wrapper)
  if (host === undefined || prototype === undefined) return []
  const owner = prototype.constructor.name
  const module = host.name
  const instanceIn = (context: { readonly id: number }) => instanceOf(wrapper, host, context)
  return scanner
    .getAllMethodNames(prototype)
    .map((method) => ({ name: `${owner}.${method}`, method, filters: filtersOf(prototype, method) }))
    .filter(({ filters }) => filters.length > 0)
    .map((found) => ({ ...found, prototype, module, instanceIn }))
}

/**
 * A class has its prototype even before there is an instance. For a factory or a value, it is the prototype of the object. A
 * factory that creates one for each request or outcome is not called just to look: the class that it is provided as counts.
 */
function prototypeOf({ inject, metatype, instance, token }: Wrapper): object | undefined {
  if (inject === undefined && typeof metatype === 'function') return metatype.prototype ?? undefined
  if (typeof instance === 'object' && instance !== null) return Object.getPrototypeOf(instance) ?? undefined
  return typeof token === 'function' ? (token.prototype ?? undefined) : undefined
}

async function instanceOf(wrapper: Wrapper, host: Host, context: { readonly id: number }): Promise<object> {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) return wrapper.instance
  const { instance: moduleRef } = host.getProviderByKey<ModuleRef>(ModuleRef)
  return await moduleRef.resolve(wrapper.token, context, { strict: true })
}
