import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common'
import { ContextIdFactory, DiscoveryModule, DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core'
import type { Exponents } from '@tallystick/core'
import { INSTANCE_NAME, SETTINGS } from '../payments.tokens.ts'
import { type HandlerClass, type RegisteredInstance, setupProblems } from './check-setup.ts'
import { eventFor, factsOf, filtersOf, type OutcomeEvent, passes } from './on-payment-outcome.decorator.ts'

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

interface FoundClass extends HandlerClass {
  /** The object that has the methods: one for each context if it is request-scoped or transient. */
  instanceIn(context: { readonly id: number }): Promise<object>
}

/** Calls the methods with `@OnPaymentOutcome` of this app. One for all instances. */
@Injectable()
export class PaymentOutcomes implements OnModuleInit {
  readonly #discovery: DiscoveryService
  readonly #moduleRef: ModuleRef
  readonly #instances: RegisteredInstance[] = []
  #classes: readonly FoundClass[] | undefined

  constructor(@Inject(DiscoveryService) discovery: DiscoveryService, @Inject(ModuleRef) moduleRef: ModuleRef) {
    this.#discovery = discovery
    this.#moduleRef = moduleRef
  }

  /** Every instance registers while the app is created, before it starts. */
  register(instance: RegisteredInstance): void {
    this.#instances.push(instance)
  }

  /** @throws TypeError that names everything that is wrong with instances and methods */
  onModuleInit(): void {
    const scoped = scopedSettings(this.#discovery)
    // Reported alone: an instance with such settings has not registered, so a method that names it would look wrong.
    const problems = scoped.length > 0 ? scoped : setupProblems(this.#handlerClasses(), this.#instances)
    if (problems.length > 0) {
      throw new TypeError(`Payments cannot start:\n${problems.map((one) => `- ${one}`).join('\n')}`)
    }
  }

  /**
   * Calls one method after the other, in the order in which they were found, because they may share a transaction. Stops at the
   * first one that throws, so that the outcome comes again. The app's guards and interceptors are for requests: none runs here.
   *
   * @param isTaken whether something else takes it as well
   * @throws TypeError if nobody takes a notice, or nobody listens to the outcomes of the instance at all: it comes again. An outcome
   * that filters leave out, such as a declined one, is acknowledged: `pay` and the report have it as well.
   */
  async deliver(event: OutcomeEvent, isTaken = false): Promise<void> {
    const facts = factsOf(event)
    const context = ContextIdFactory.create()
    // What request-scoped providers get by `@Inject(REQUEST)`.
    this.#moduleRef.registerRequestByContextId(event, context)
    let wasCalled = false
    for (const { methods, instanceIn } of this.#handlerClasses()) {
      for (const { name, filters } of methods) {
        const filter = filters.find((one) => passes(one, facts))
        if (filter === undefined) continue
        wasCalled = true
        await call(await instanceIn(context), name, eventFor(filter, event, this.#exponentsOf(facts.instance)))
      }
    }
    if (wasCalled || isTaken) return
    const order = `${facts.instance}: order ${event.outcome.clientOrderId} (${event.outcome.orderId})`
    if (facts.kind === 'notice') {
      throw new TypeError(
        `${order} was changed after its outcome, and nobody listens: use @OnPaymentOutcome({ kind: 'notice' }) or @OnNotice(), or set onNotice: 'ignore'`,
      )
    }
    if (!this.#listensTo(facts.instance)) {
      throw new TypeError(`${order} has its outcome, and nobody listens to this instance: use @OnPaymentOutcome()`)
    }
  }

  #exponentsOf(instance: string): Exponents {
    return this.#instances.find(({ name }) => name === instance)?.exponents ?? 'always-2'
  }

  /** Whether any method is for outcomes of the instance, of whatever status and operation. */
  #listensTo(instance: string): boolean {
    const filters = this.#handlerClasses().flatMap(({ methods }) => methods.flatMap((method) => method.filters))
    return filters.some(
      (filter) => filter.kind === 'outcome' && [filter.instance ?? instance].flat().includes(instance),
    )
  }

  /** Every class with such methods of all providers and controllers of the app, in the order of its modules. */
  #handlerClasses(): readonly FoundClass[] {
    const scanner = new MetadataScanner()
    this.#classes ??= [...this.#discovery.getProviders(), ...this.#discovery.getControllers()]
      .filter((wrapper) => !wrapper.isAlias)
      .flatMap((wrapper) => {
        const prototype = prototypeOf(wrapper)
        if (prototype === undefined) return []
        const methods = scanner
          .getAllMethodNames(prototype)
          .map((name) => ({ name, filters: filtersOf(prototype, name) }))
          .filter(({ filters }) => filters.length > 0)
        return methods.length === 0
          ? []
          : [{ prototype, methods, instanceIn: (context) => instanceOf(wrapper, context) }]
      })
    return this.#classes
  }
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

async function instanceOf(wrapper: Wrapper, context: { readonly id: number }): Promise<object> {
  const { host } = wrapper
  if (host === undefined || (wrapper.isDependencyTreeStatic() && !wrapper.isTransient)) return wrapper.instance
  const { instance: moduleRef } = host.getProviderByKey<ModuleRef>(ModuleRef)
  return await moduleRef.resolve(wrapper.token, context, { strict: true })
}

async function call(instance: object, name: string, event: unknown): Promise<void> {
  const method: unknown = Reflect.get(instance, name)
  if (typeof method !== 'function') throw new TypeError(`${instance.constructor.name}.${name} is no longer a method`)
  await Reflect.apply(method, instance, [event])
}

/**
 * If something request-scoped is injected for settings, Nest creates them anew for each request. Nothing would start or close
 * the journal of such settings, or check at the start whether anything handles its outcomes.
 */
function scopedSettings(discovery: DiscoveryService): readonly string[] {
  return discovery
    .getProviders()
    .filter((wrapper) => wrapper.token === SETTINGS && !wrapper.isDependencyTreeStatic())
    .map(({ host }) => host?.getProviderByKey<string>(INSTANCE_NAME).instance)
    .map(
      (name) =>
        `the settings of the instance ${name} are created once, but something injected for them is request-scoped`,
    )
}

/** Every instance imports it, so there is one for the app. */
@Module({ imports: [DiscoveryModule], providers: [PaymentOutcomes], exports: [PaymentOutcomes] })
export class PaymentOutcomesModule {}
