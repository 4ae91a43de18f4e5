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
import { acceptForms } from '../routes/accept-forms.ts'
import type { RouteOptions } from '../routes/route-options.ts'
import { gatewayController, routeBelow } from './gateway.controller.ts'
import { CONTROLLER, GATEWAY, type MountedGateway } from './mounted-gateway.ts'

export interface PaymentGatewayModuleOptions extends RouteOptions {
  /** What `createGateway` gives, which is closed with the app; or a `handle` alone, which is not. */
  readonly gateway: MountedGateway
}

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

  static forRoot({ gateway, ...route }: PaymentGatewayModuleOptions): DynamicModule {
    return gatewayModule(route, { provide: GATEWAY, useValue: gateway })
  }

  static forRootAsync(options: PaymentGatewayModuleAsyncOptions): DynamicModule {
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

function gatewayModule(route: RouteOptions, gateway: Provider): DynamicModule {
  const controller = gatewayController(route)
  return {
    module: PaymentGatewayModule,
    controllers: [controller],
    providers: [gateway, { provide: CONTROLLER, useValue: controller }],
  }
}
