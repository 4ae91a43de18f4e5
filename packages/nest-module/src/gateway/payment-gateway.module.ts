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
import { checkOptions, missingMethods, type Validators, validator } from '@tallystick/core/internal'
import { acceptForms } from '../routes/accept-forms.ts'
import { PLACE_KINDS, type RouteOptions } from '../routes/route-options.ts'
import { CONTROLLER, GATEWAY, gatewayController, type MountedGateway, routeBelow } from './gateway.controller.ts'

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
