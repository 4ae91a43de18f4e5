import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import type { PaymentClient } from '@tallystick/client'
import type { PaymentOutcomes } from './outcomes/payment-outcomes.ts'
import type { PaymentJournal, PaymentsRoutes, PaymentsSettings, ShopSettings } from './payments.options.ts'
import { INSTANCE_NAME, instanceToken } from './payments.tokens.ts'
import type { UnderWay } from './under-way.ts'

/** What an instance consists of, besides its routes. */
export interface InstanceParts {
  readonly instance: string
  readonly settings: PaymentsSettings
  readonly client: PaymentClient
  readonly journal: PaymentJournal | undefined
  readonly outcomes: PaymentOutcomes
  readonly underWay: UnderWay
  /** Of a shop in one object. */
  readonly shop: Pick<ShopSettings, 'onNotice'> | undefined
}

/** The life of an instance, from the start of the app to its end. */
export class PaymentsInstance {
  readonly #parts: InstanceParts
  phase: Phase = 'starting'

  constructor(parts: InstanceParts, routes: PaymentsRoutes) {
    this.#parts = parts
    const { instance, settings, client, journal, outcomes, shop } = parts
    outcomes.register({
      name: instance,
      hasJournal: journal !== undefined,
      routes,
      hasListener: settings.callbacks?.onOutcome !== undefined,
      exponents: client.exponents,
      shop: shop && { ignoresNotices: shop.onNotice === 'ignore' },
    })
  }

  start(): void {
    this.#parts.journal?.start()
    this.phase = 'started'
  }

  beginToClose(): void {
    this.phase = 'closing'
    this.#parts.underWay.end()
  }

  /** Finishes the requests in progress, then closes the journal, then the client. */
  async close(): Promise<void> {
    const { underWay, journal, client } = this.#parts
    await underWay.settled()
    try {
      await journal?.close()
    } finally {
      await client.close()
    }
  }
}

/** Starts and ends an instance with its app. */
class InstanceLife implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #instance: () => PaymentsInstance

  constructor(instance: () => PaymentsInstance) {
    this.#instance = instance
  }

  /** Not earlier: the methods that the journal calls are found when all modules are initialised. */
  onApplicationBootstrap(): void {
    this.#instance().start()
  }

  beforeApplicationShutdown(): void {
    this.#instance().beginToClose()
  }

  /** The server has stopped by now. */
  async onApplicationShutdown(): Promise<void> {
    await this.#instance().close()
  }
}

/**
 * A module apart, which is never global. Nest shuts global modules down last, in the reverse order of their imports, and those
 * of TypeORM and MikroORM are global: a global instance that was imported before them would close its journal after its connections.
 */
@Module({})
class PaymentsLifeModule {}

export function lifeModule(name: string): DynamicModule {
  const life = {
    provide: InstanceLife,
    inject: [ModuleRef],
    useFactory: (app: ModuleRef) => new InstanceLife(() => app.get(instanceToken(name), { strict: false })),
  }
  // By its name, Nest tells the modules of two instances apart.
  return { module: PaymentsLifeModule, providers: [{ provide: INSTANCE_NAME, useValue: name }, life] }
}

/** The state of an instance. What a terminus indicator returns under its key. */
export interface PaymentsHealthReport {
  readonly status: 'up' | 'down'
  /** The name of the instance. */
  readonly instance: string
  /**
   * Why it is down: `starting`, `closing`, `wrong key`, the code of a `PaymentError`, or `unclear` if what came says nothing about
   * the key, such as a page of a proxy.
   */
  readonly reason?: string
  /** How many requests of its routes are being answered. */
  readonly underWay?: number
  /**
   * Whether the last request failed. Nothing else shows an inbox that cannot write or is full. Requests that are refused as
   * wrong (400 to 499) do not count.
   */
  readonly lastFailed?: boolean
}

/** Says whether an instance can work. Inject it with `@InjectPaymentsHealth()`. */
export interface PaymentsHealth {
  /** Whether this process has started and is not closing: for readiness. Sends no request. */
  check(): Promise<PaymentsHealthReport>
  /**
   * Whether the gateway answers and accepts the instance's login and control key (`client.checkCredentials`). For a dashboard
   * only: a shop whose gateway is unreachable must still receive callbacks. It waits 5000 milliseconds, or `timeoutMs`.
   */
  checkGateway(options?: { readonly timeoutMs?: number }): Promise<PaymentsHealthReport>
}

/** Where the instance is in its life. */
type Phase = 'starting' | 'started' | 'closing'

interface HealthParts {
  readonly instance: string
  readonly client: Pick<PaymentClient, 'checkCredentials'>
  readonly underWay: UnderWay
  readonly phase: () => Phase
}

export function createPaymentsHealth({ instance, client, underWay, phase }: HealthParts): PaymentsHealth {
  return {
    check: async () => {
      const { count, lastFailed } = underWay
      const now = phase()
      const report = { instance, underWay: count, lastFailed }
      return now === 'started' ? { status: 'up', ...report } : { status: 'down', reason: now, ...report }
    },
    checkGateway: async ({ timeoutMs = GATEWAY_WAIT_MS } = {}) => {
      const check = await client.checkCredentials({ timeoutMs })
      if (check.credentials === 'right') return { status: 'up', instance }
      if (check.credentials === 'wrong') return { status: 'down', instance, reason: 'wrong key' }
      // A proxy's 403 is no verdict on the key.
      const isPage = check.error?.code === 'AUTH_REJECTED'
      return { status: 'down', instance, reason: isPage ? 'unclear' : (check.error?.code ?? 'unclear') }
    },
  }
}

/** A check that hangs is worth less than one that fails. */
const GATEWAY_WAIT_MS = 5000
