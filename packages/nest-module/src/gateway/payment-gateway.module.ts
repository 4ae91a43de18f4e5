import {
  All,
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type ModuleMetadata,
  type NestModule,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
  Req,
  Res,
  type Type,
} from '@nestjs/common'
import { type AbstractHttpAdapter, HttpAdapterHost, ModuleRef } from '@nestjs/core'
import { type GatewayHandle, readGatewayRequest } from '@tallystick/client/internal'
import { checkOptions, missingMethods, type Validators, validator } from '@tallystick/core/internal'
import { acceptForms } from '../routes/accept-forms.ts'
import { nodeRequestOf, type PlatformRequest, type PlatformResponse, send } from '../routes/platform.ts'
import { PLACE_KINDS, type RouteOptions, routeController } from '../routes/route-options.ts'

/** An existing gateway, and where it is served: `{ path: 'paynet', gateway: createGateway(...) }`. */
export interface PaymentGatewayModuleOptions extends RouteOptions {
  /** What `createGateway` returns, which is closed with the app, or only its `handle`, which is not. */
  readonly gateway: MountedGateway
}

/** A gateway that `useFactory` creates from what `inject` names, and where it is served. */
export interface PaymentGatewayModuleAsyncOptions
  extends RouteOptions,
    Pick<FactoryProvider<MountedGateway>, 'inject' | 'useFactory'>,
    Pick<ModuleMetadata, 'imports'> {}

/** What every controller of this file has. */
interface Answers {
  answer(request: PlatformRequest, response: PlatformResponse): Promise<void>
}

/** A controller for one path. {@link routeBelow} routes everything below it. */
function gatewayController(route: RouteOptions): Type<Answers> {
  class GatewayController implements Answers {
    readonly #gateway: MountedGateway

    constructor(@Inject(GATEWAY) gateway: MountedGateway) {
      this.#gateway = gateway
    }

    async answer(@Req() request: PlatformRequest, @Res() response: PlatformResponse): Promise<void> {
      const gateway = this.#gateway
      const inbound = await readGatewayRequest(nodeRequestOf(request))
      const reply = await (typeof gateway === 'function' ? gateway(inbound) : gateway.handle(inbound))
      send(response, reply)
    }
  }
  return routeController(GatewayController, `PaymentGateway(${route.path})`, route)
}

/**
 * Routes everything at and below the controller's path to it. Called before Nest reads its routes. The class cannot do it,
 * because Express and Fastify spell a wildcard differently.
 */
function routeBelow(controller: Type<Answers>, httpAdapter: AbstractHttpAdapter): void {
  const wildcard = httpAdapter.getType() === 'fastify' ? '*' : '*path'
  All(['', wildcard])(controller.prototype, 'answer', { value: controller.prototype.answer })
}

/** What can be mounted: what `createGateway` returns, or a function like its `handle`. */
type MountedGateway = GatewayHandle | { readonly handle: GatewayHandle; close?(): Promise<void> }

/** Provided within the module of one gateway. */
const GATEWAY = Symbol('gateway')
const CONTROLLER = Symbol('controller')

/**
 * Serves a gateway inside a Nest app, at and below a path. The whole path, with the app's prefix and version, must be that
 * of the gateway's `publicUrl`.
 */
@Module({})
export class PaymentGatewayModule implements NestModule, OnModuleInit, OnApplicationShutdown {
  readonly #moduleRef: ModuleRef
  readonly #controller: Controller
  readonly #host: HttpAdapterHost
  #gateway: MountedGateway | undefined

  constructor(
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(CONTROLLER) controller: Controller,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.#moduleRef = moduleRef
    this.#controller = controller
    this.#host = host
  }

  /**
   * Serves an existing gateway. Checks it and the names of the options at once.
   *
   * @throws TypeError that names the option
   */
  static forRoot(options: PaymentGatewayModuleOptions): DynamicModule {
    checkOptions('PaymentGatewayModule.forRoot', options, KINDS)
    const { gateway, ...route } = options
    return gatewayModule(route, { provide: GATEWAY, useValue: gateway })
  }

  /**
   * Serves a gateway that a factory creates while the app is created. Nest needs its path now.
   *
   * @throws TypeError that names the option
   */
  static forRootAsync(options: PaymentGatewayModuleAsyncOptions): DynamicModule {
    checkOptions('PaymentGatewayModule.forRootAsync', options, ASYNC_KINDS)
    const { imports = [], inject = [], useFactory, ...route } = options
    const make = async (...injected: readonly unknown[]) => checkMade(await useFactory(...injected))
    return { ...gatewayModule(route, { provide: GATEWAY, inject, useFactory: make }), imports }
  }

  /** Nest calls this right before it reads the routes, when the platform is known. */
  configure(): void {
    routeBelow(this.#controller, this.#host.httpAdapter)
  }

  /** @throws TypeError for a gateway that Nest would create anew for each request: it would not know earlier orders */
  onModuleInit(): void {
    this.#gateway = this.#madeOnce()
    acceptForms(this.#host)
  }

  /** The server has stopped by now. The gateway finishes what is in progress. */
  async onApplicationShutdown(): Promise<void> {
    if (typeof this.#gateway !== 'function') await this.#gateway?.close?.()
  }

  /** Not injected, because Nest would silently not create a module that depends on a request-scoped provider. */
  #madeOnce(): MountedGateway {
    try {
      return this.#moduleRef.get<MountedGateway>(GATEWAY)
    } catch (cause) {
      const { name } = this.#controller
      throw new TypeError(`${name}: a gateway is created once, but something injected for it is request-scoped`, {
        cause,
      })
    }
  }
}

type Controller = ReturnType<typeof gatewayController>

const MOUNTED: Validators<Pick<PaymentGatewayModuleOptions, 'gateway'>> = {
  gateway: validator.required({
    wanted: 'what createGateway returns, or its handle',
    isRight: (value) => typeof value === 'function' || missingMethods(value, ['handle']).length === 0,
  }),
}

const KINDS: Validators<PaymentGatewayModuleOptions> = { ...PLACE_KINDS, ...MOUNTED }

const ASYNC_KINDS: Validators<PaymentGatewayModuleAsyncOptions> = {
  ...PLACE_KINDS,
  useFactory: validator.required(validator.function),
  inject: validator.list,
  imports: validator.list,
}

/** @throws TypeError if the factory of a program without types returned something else */
function checkMade(gateway: MountedGateway): MountedGateway {
  checkOptions('what useFactory of PaymentGatewayModule.forRootAsync returns', { gateway }, MOUNTED)
  return gateway
}

function gatewayModule(route: RouteOptions, gateway: Provider): DynamicModule {
  const controller = gatewayController(route)
  return {
    module: PaymentGatewayModule,
    controllers: [controller],
    providers: [gateway, { provide: CONTROLLER, useValue: controller }],
  }
}
