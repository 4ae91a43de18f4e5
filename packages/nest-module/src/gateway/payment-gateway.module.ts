import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type ModuleMetadata,
  type NestModule,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common'
import { HttpAdapterHost, ModuleRef } from '@nestjs/core'
import { checkOptions, type Kinds, kind, missingMethods } from '@tallystick/core'
import { acceptForms } from '../routes/accept-forms.ts'
import { ROUTE_KINDS } from '../routes/route-kinds.ts'
import type { RouteOptions } from '../routes/route-options.ts'
import { gatewayController, routeBelow } from './gateway.controller.ts'
import { CONTROLLER, GATEWAY, type MountedGateway } from './mounted-gateway.ts'

/** A gateway that is there, and where it is served: `{ path: 'paynet', gateway: createGateway(...) }`. */
export interface PaymentGatewayModuleOptions extends RouteOptions {
  /** What `createGateway` returns, which is closed with the app, or only its `handle`, which is not. */
  readonly gateway: MountedGateway
}

/** Where a gateway is served that `useFactory` makes, of what `inject` names. */
export interface PaymentGatewayModuleAsyncOptions
  extends RouteOptions,
    Pick<FactoryProvider<MountedGateway>, 'inject' | 'useFactory'>,
    Pick<ModuleMetadata, 'imports'> {}

/**
 * Serves a gateway inside of a Nest app, at and below a path. The whole path, with the app's prefix and version, is that of
 * the gateway's `publicUrl`.
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
   * A gateway that is there. What is wrong with it, or with a name of an option, shows now.
   *
   * @throws TypeError that names the option
   */
  static forRoot(options: PaymentGatewayModuleOptions): DynamicModule {
    checkOptions('PaymentGatewayModule.forRoot', options, KINDS)
    const { gateway, ...route } = options
    return gatewayModule(route, { provide: GATEWAY, useValue: gateway })
  }

  /**
   * A gateway that a factory makes while the app is made. Its path is known now: Nest needs it.
   *
   * @throws TypeError that names the option
   */
  static forRootAsync(options: PaymentGatewayModuleAsyncOptions): DynamicModule {
    checkOptions('PaymentGatewayModule.forRootAsync', options, ASYNC_KINDS)
    const { imports = [], inject = [], useFactory, ...route } = options
    const make = async (...injected: readonly unknown[]) => checkMade(await useFactory(...injected))
    return { ...gatewayModule(route, { provide: GATEWAY, inject, useFactory: make }), imports }
  }

  /** Nest asks for middleware right before it reads the routes, when the platform is known. */
  configure(): void {
    routeBelow(this.#controller, this.#host.httpAdapter)
  }

  /** @throws TypeError for a gateway that Nest makes anew for each request: it would know no order of the one before */
  onModuleInit(): void {
    this.#gateway = this.#madeOnce()
    acceptForms(this.#host)
  }

  /** The server has stopped by now. The gateway finishes what goes on. */
  async onApplicationShutdown(): Promise<void> {
    if (typeof this.#gateway !== 'function') await this.#gateway?.close?.()
  }

  /** Not injected: Nest makes no module of what is request-scoped, and nothing would be said. */
  #madeOnce(): MountedGateway {
    try {
      return this.#moduleRef.get<MountedGateway>(GATEWAY)
    } catch (cause) {
      const { name } = this.#controller
      throw new TypeError(`${name}: a gateway is made once, and what is injected for it is request-scoped`, { cause })
    }
  }
}

type Controller = ReturnType<typeof gatewayController>

const ROUTE: Kinds<RouteOptions> = { ...ROUTE_KINDS, path: kind.required(ROUTE_KINDS.path) }

const MOUNTED: Kinds<Pick<PaymentGatewayModuleOptions, 'gateway'>> = {
  gateway: kind.required({
    wanted: 'what createGateway gives, or its handle',
    isRight: (value) => typeof value === 'function' || missingMethods(value, ['handle']).length === 0,
  }),
}

const KINDS: Kinds<PaymentGatewayModuleOptions> = { ...ROUTE, ...MOUNTED }

const ASYNC_KINDS: Kinds<PaymentGatewayModuleAsyncOptions> = {
  ...ROUTE,
  useFactory: kind.required(kind.function),
  inject: kind.list,
  imports: kind.list,
}

/** @throws TypeError when the factory of a program without types gave something else */
function checkMade(gateway: MountedGateway): MountedGateway {
  checkOptions('what useFactory of PaymentGatewayModule.forRootAsync gives', { gateway }, MOUNTED)
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
