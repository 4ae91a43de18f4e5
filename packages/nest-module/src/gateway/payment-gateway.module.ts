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
import { HttpAdapterHost } from '@nestjs/core'
import { checkOptions, type Kind, list, listener, missingMethods, requireOption } from '../known-options.ts'
import { acceptForms } from '../routes/accept-forms.ts'
import { ROUTE_KINDS } from '../routes/route-kinds.ts'
import type { RouteOptions } from '../routes/route-options.ts'
import { gatewayController, routeBelow } from './gateway.controller.ts'
import { CONTROLLER, GATEWAY, type MountedGateway } from './mounted-gateway.ts'

/** A gateway that is there, and where it is served: `{ path: 'paynet', gateway: createGateway(...) }`. */
export interface PaymentGatewayModuleOptions extends RouteOptions {
  /** What `createGateway` gives, which is closed with the app; or a `handle` alone, which is not. */
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
  readonly #gateway: MountedGateway
  readonly #controller: Controller
  readonly #host: HttpAdapterHost

  constructor(
    @Inject(GATEWAY) gateway: MountedGateway,
    @Inject(CONTROLLER) controller: Controller,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.#gateway = gateway
    this.#controller = controller
    this.#host = host
  }

  /**
   * A gateway that is there. What is wrong with it, or with a name of an option, shows now.
   *
   * @throws TypeError that names the option
   */
  static forRoot(options: PaymentGatewayModuleOptions): DynamicModule {
    checkGatewayOptions('forRoot', options, { gateway: GATEWAY_KIND })
    const { gateway, ...route } = options
    return gatewayModule(route, { provide: GATEWAY, useValue: gateway })
  }

  /**
   * A gateway that a factory makes while the app is made. Its path is known now: Nest needs it.
   *
   * @throws TypeError that names the option
   */
  static forRootAsync(options: PaymentGatewayModuleAsyncOptions): DynamicModule {
    checkGatewayOptions('forRootAsync', options, { useFactory: listener, inject: list, imports: list })
    const { imports = [], inject = [], useFactory, ...route } = options
    return { ...gatewayModule(route, { provide: GATEWAY, inject, useFactory }), imports }
  }

  /** Nest asks for middleware right before it reads the routes, when the platform is known. */
  configure(): void {
    routeBelow(this.#controller, this.#host.httpAdapter)
  }

  onModuleInit(): void {
    acceptForms(this.#host)
  }

  /** The server has stopped by now. The gateway finishes what goes on. */
  async onApplicationShutdown(): Promise<void> {
    if (typeof this.#gateway !== 'function') await this.#gateway.close?.()
  }
}

type Controller = ReturnType<typeof gatewayController>

const GATEWAY_KIND: Kind = {
  wanted: 'what createGateway gives, or its handle',
  isRight: (value) => typeof value === 'function' || missingMethods(value, ['handle']).length === 0,
}

/**
 * @throws TypeError that names the option: one that is unknown, of a wrong kind or missing. Without these there is
 * nothing
 */
function checkGatewayOptions(method: string, options: object, kinds: Readonly<Record<string, Kind>>): void {
  const where = `PaymentGatewayModule.${method}`
  checkOptions(where, options, { ...ROUTE_KINDS, ...kinds })
  for (const name of ['path', 'gateway', 'useFactory']) {
    if (name === 'path' || name in kinds) requireOption(where, options, name)
  }
}

function gatewayModule(route: RouteOptions, gateway: Provider): DynamicModule {
  const controller = gatewayController(route)
  return {
    module: PaymentGatewayModule,
    controllers: [controller],
    providers: [gateway, { provide: CONTROLLER, useValue: controller }],
  }
}
