import { Inject, Injectable, Logger, Module, type NestModule, type OnModuleInit } from '@nestjs/common'
import {
  ApplicationConfig,
  ContextIdFactory,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  ModuleRef,
} from '@nestjs/core'
import { INSTANCE_NAME, SETTINGS } from '../payments.tokens.ts'
import { discoverHandlers, type FoundHandler } from './discover-handlers.ts'
import { takeForgotten } from './on-payment-outcome.decorator.ts'
import { kindOf, type OutcomeEvent, passes } from './outcome-filter.ts'
import { addresses, setupProblems } from './problems.ts'
import type { RegisteredInstance } from './registered-instance.ts'

/** Calls the methods with `@OnPaymentOutcome` of this app. One for all instances. */
@Injectable()
export class PaymentOutcomes implements OnModuleInit {
  readonly #discovery: DiscoveryService
  readonly #moduleRef: ModuleRef
  readonly #config: ApplicationConfig
  readonly #host: HttpAdapterHost
  readonly #instances: RegisteredInstance[] = []
  #handlers: readonly FoundHandler[] | undefined

  constructor(
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.#discovery = discovery
    this.#moduleRef = moduleRef
    this.#config = config
    this.#host = host
  }

  /** Every instance registers while the app is created, before it starts. */
  register(instance: RegisteredInstance): void {
    this.#instances.push(instance)
  }

  /** In an app without routes, nothing has looked for the methods before. */
  onModuleInit(): void {
    this.findHandlers()
  }

  /** @throws TypeError that names everything that is wrong with instances and methods */
  findHandlers(): readonly FoundHandler[] {
    if (this.#handlers !== undefined) return this.#handlers
    const handlers = discoverHandlers(this.#discovery)
    for (const forgotten of takeForgotten(handlers.map(({ prototype }) => prototype))) warnOf(forgotten)
    const scoped = scopedSettings(this.#discovery)
    // Reported alone: an instance with such settings has not registered, so a method that names it would look wrong.
    const problems = scoped.length > 0 ? scoped : setupProblems(handlers, this.#instances, this.#isVersioned())
    if (problems.length > 0)
      throw new TypeError(`Payments cannot start:\n${problems.map((one) => `- ${one}`).join('\n')}`)
    this.#handlers = handlers
    return handlers
  }

  /** A process without HTTP, such as a worker, has no routes. It cannot enable versioning, and no paths can collide there. */
  #isVersioned(): boolean {
    return !this.#host.httpAdapter || this.#config.getVersioning() !== undefined
  }

  /**
   * Calls one method after the other, in the order in which they were found, because they may share a transaction. Stops at the
   * first one that throws, so that the outcome comes again. The app's guards and interceptors are for requests: none runs here.
   *
   * @param isTaken whether something else takes it as well
   * @throws TypeError if nobody takes a notice, or nobody listens to the outcomes of the instance at all: it comes again. An outcome
   * that filters leave out, such as a declined one, is acknowledged: `pay` and the report tell it as well.
   */
  async tell(heard: OutcomeEvent, isTaken = false): Promise<void> {
    let isHeard = false
    const context = ContextIdFactory.create()
    // What request-scoped providers get by `@Inject(REQUEST)`.
    this.#moduleRef.registerRequestByContextId(heard, context)
    for (const handler of this.findHandlers()) {
      if (!handler.filters.some((filter) => passes(filter, heard))) continue
      isHeard = true
      await call(handler, context, heard)
    }
    if (!isHeard && !isTaken && !this.#isLeftOut(heard)) throw unheard(heard)
  }

  #isLeftOut(heard: OutcomeEvent): boolean {
    const filters = this.findHandlers().flatMap((handler) => handler.filters)
    return (
      kindOf(heard) === 'outcome' &&
      filters.some((filter) => filter.kind === 'outcome' && addresses(filter, { name: heard.instance }))
    )
  }
}

/** Not an error: another app of this process may provide the class, or a module that is loaded later. */
function warnOf({ constructor: { name } }: object): void {
  new Logger('PaymentsModule').warn(
    `${name} has methods with @OnPaymentOutcome, but no module of this app provides it: they are never called`,
  )
}

function unheard(heard: OutcomeEvent): TypeError {
  const { instance, outcome } = heard
  const order = `${instance}: order ${outcome.clientOrderId} (${outcome.orderId})`
  return new TypeError(
    kindOf(heard) === 'outcome'
      ? `${order} has its outcome, and nobody listens to this instance: use @OnPaymentOutcome()`
      : `${order} was changed after its outcome, and nobody listens: use @OnPaymentOutcome({ kind: 'notice' }), or set onNotice: 'ignore'`,
  )
}

async function call(handler: FoundHandler, context: { readonly id: number }, heard: OutcomeEvent): Promise<void> {
  const instance = await handler.instanceIn(context)
  const method: unknown = Reflect.get(instance, handler.method)
  if (typeof method !== 'function') throw new TypeError(`${handler.name} is no longer a method`)
  await Reflect.apply(method, instance, [heard])
}

/**
 * Why the app must not start: if something request-scoped is injected for settings, Nest creates them anew for each request.
 * Nothing would start or close the journal of such settings, or check at the start whether anything handles its outcomes.
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
export class PaymentOutcomesModule implements NestModule {
  readonly #outcomes: PaymentOutcomes

  constructor(@Inject(PaymentOutcomes) outcomes: PaymentOutcomes) {
    this.#outcomes = outcomes
  }

  /**
   * Nest calls this right before it reads the routes. Any later, Fastify would refuse two routes of one path in its own words.
   */
  configure(): void {
    this.#outcomes.findHandlers()
  }
}
