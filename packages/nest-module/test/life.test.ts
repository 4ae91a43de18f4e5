import { once } from 'node:events'
import type { Server } from 'node:http'
import { Controller, Get, Inject } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { Test } from '@nestjs/testing'
import type { PaymentClientOptions } from '@tallystick/client'
import { startGateway } from '@tallystick/testing'
import { describe, expect, test } from 'vitest'
import {
  getPaymentClientToken,
  getPaymentJournalToken,
  getPaymentsHealthToken,
  InjectPaymentsHealth,
  type PaymentsHealth,
  PaymentsModule,
} from '../src/index.ts'
import { FakeJournal, withJournal } from './outcomes/fake-journal.ts'
import { callback, clientOf, NO_GATEWAY, PLATFORMS, startApp } from './support.ts'

/** An event that a test waits for. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe.each(PLATFORMS)('a shutdown on %s', (_platform, adapter) => {
  test('waits for requests in progress, even if the caller hung up, and closes the client last', async () => {
    const events: string[] = []
    const reached = gate()
    const listening = gate()
    const onOutcome = async () => {
      events.push('told')
      reached.open()
      await listening.opened
      events.push('done')
    }
    const imports = [PaymentsModule.forRoot({ client: await clientOf(), callbacks: { path: 'cb', onOutcome } })]
    const { app, url } = await startApp(adapter, { imports })
    const client = app.get(getPaymentClientToken())
    const { close } = client
    client.close = async () => {
      events.push('client closed')
      await close()
    }
    const hangingUp = new AbortController()
    const calling = fetch(`${url}/cb?${callback()}`, { signal: hangingUp.signal })
    await reached.opened
    hangingUp.abort()
    await expect(calling).rejects.toThrow(/aborted/)
    const closing = app.close().then(() => events.push('app closed'))
    // The server has long stopped: only the listener is still running.
    await once(app.getHttpServer(), 'close')
    expect(events).toEqual(['told'])
    listening.open()
    await closing
    expect(events).toEqual(['told', 'done', 'client closed', 'app closed'])
  })

  test('first answers a callback that has arrived', async () => {
    const reached = gate()
    const listening = gate()
    const onOutcome = async () => {
      reached.open()
      await listening.opened
    }
    const imports = [PaymentsModule.forRoot({ client: await clientOf(), callbacks: { path: 'cb', onOutcome } })]
    const { app, url } = await startApp(adapter, { imports })
    const calling = fetch(`${url}/cb?${callback()}`)
    await reached.opened
    const server: Server = app.getHttpServer()
    const closing = app.close()
    // By then Node no longer closes idle connections, and Fastify would keep this one for 72 s.
    while (server.listening) await new Promise((resolve) => setImmediate(resolve))
    listening.open()
    const { status, headers } = await calling
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
    await closing
  })

  test('closes the journal before the client', async () => {
    const { app } = await startApp(adapter, { imports: [withJournal('eu')] })
    const { events } = app.get<FakeJournal>(getPaymentJournalToken('eu'))
    app.get(getPaymentClientToken('eu')).close = async () => void events.push('client closed')
    await app.close()
    expect(events).toEqual(['started', 'closed', 'client closed'])
  })

  test('closes the client even if closing the journal fails', async () => {
    const { app } = await startApp(adapter, { imports: [withJournal('eu')] })
    const { events } = app.get<FakeJournal>(getPaymentJournalToken('eu'))
    app.get<FakeJournal>(getPaymentJournalToken('eu')).close = async () => {
      throw new Error('the database is away')
    }
    app.get(getPaymentClientToken('eu')).close = async () => void events.push('client closed')
    // Nest writes the failure to its log.
    await app.close()
    expect(events).toEqual(['started', 'client closed'])
  })
})

describe('health', () => {
  test('is up between start and shutdown', async () => {
    class Checks {
      readonly health: PaymentsHealth

      constructor(@InjectPaymentsHealth('eu') health: PaymentsHealth) {
        this.health = health
      }
    }
    const payments = PaymentsModule.forRoot({ name: 'eu', client: NO_GATEWAY })
    const module = await Test.createTestingModule({ imports: [payments], providers: [Checks] }).compile()
    const { health } = module.get(Checks)
    const report = { instance: 'eu', underWay: 0, lastFailed: false }
    expect(await health.check()).toEqual({ status: 'down', reason: 'starting', ...report })
    await module.init()
    expect(await health.check()).toEqual({ status: 'up', ...report })
    await module.close()
    expect(await health.check()).toEqual({ status: 'down', reason: 'closing', ...report })
  })

  test('shows how many requests are being answered, and whether the last one failed', async () => {
    const seen: object[] = []
    let isBroken = true
    const callbacks = {
      path: 'cb',
      onOutcome: async () => {
        seen.push(await health().check())
        if (isBroken) throw new TypeError('the database is down')
      },
    }
    const imports = [PaymentsModule.forRoot({ client: await clientOf(), callbacks })]
    const { app, url } = await startApp(PLATFORMS[0]?.[1] ?? expect.fail(), { imports })
    const health = () => app.get<PaymentsHealth>(getPaymentsHealthToken())
    await fetch(`${url}/cb?${callback()}`)
    expect(seen).toMatchObject([{ status: 'up', underWay: 1 }])
    expect(await health().check()).toMatchObject({ status: 'up', underWay: 0, lastFailed: true })
    // A request that is no callback, and a callback from a stranger.
    expect((await fetch(`${url}/cb`)).status).toBe(400)
    expect((await fetch(`${url}/cb?${callback('approved', 'another key')}`)).status).toBe(403)
    expect(await health().check()).toMatchObject({ lastFailed: true })
    isBroken = false
    await fetch(`${url}/cb?${callback()}`)
    expect(await health().check()).toMatchObject({ lastFailed: false })
  })

  test('shows that the inbox is full', async () => {
    const { app, url } = await startApp(PLATFORMS[0]?.[1] ?? expect.fail(), {
      imports: [
        PaymentsModule.forRoot({
          client: NO_GATEWAY,
          journal: (client, handler) =>
            Object.assign(new FakeJournal(client, handler), { inbox: { receive: async () => 'full' as const } }),
          callbacks: { path: 'cb' },
        }),
      ],
    })
    expect((await fetch(`${url}/cb?${callback()}`)).status).toBe(503)
    const health = app.get<PaymentsHealth>(getPaymentsHealthToken())
    expect(await health.check()).toMatchObject({ lastFailed: true })
  })

  test.each(PLATFORMS)(
    'can be passed to the HealthCheckService of terminus, up and down, on %s',
    async (_name, adapter) => {
      @Controller('health')
      class HealthController {
        readonly health: HealthCheckService
        readonly payments: PaymentsHealth

        constructor(
          @Inject(HealthCheckService) health: HealthCheckService,
          @InjectPaymentsHealth('eu') payments: PaymentsHealth,
        ) {
          this.health = health
          this.payments = payments
        }

        @Get('ready')
        @HealthCheck()
        ready() {
          return this.health.check([async () => ({ payments: await this.payments.check() })])
        }

        @Get('gateway')
        @HealthCheck()
        gateway() {
          return this.health.check([async () => ({ payments: await this.payments.checkGateway() })])
        }
      }
      const payments = PaymentsModule.forRoot({ name: 'eu', client: { ...NO_GATEWAY, readAttempts: 1 } })
      const imports = [payments, TerminusModule.forRoot({ logger: false })]
      const { app, url } = await startApp(adapter, { imports, controllers: [HealthController] })
      const ready = await fetch(`${url}/health/ready`)
      const up = { status: 'up', instance: 'eu', underWay: 0, lastFailed: false }
      expect([ready.status, await ready.json()]).toMatchObject([
        200,
        { status: 'ok', info: { payments: up }, error: {} },
      ])
      const gateway = await fetch(`${url}/health/gateway`)
      const away = { status: 'down', instance: 'eu', reason: 'NOT_SENT' }
      expect([gateway.status, await gateway.json()]).toMatchObject([
        503,
        { status: 'error', error: { payments: away } },
      ])
      await app.close()
      const closing = { ...up, status: 'down', reason: 'closing' }
      await expect(app.get(HealthController).ready()).rejects.toMatchObject({
        status: 503,
        response: { error: { payments: closing } },
      })
    },
  )

  async function gatewayHealth(client: PaymentClientOptions) {
    const payments = PaymentsModule.forRoot({ client: { ...client, readAttempts: 1 } })
    const module = await Test.createTestingModule({ imports: [payments] }).compile()
    const report = await module.get<PaymentsHealth>(getPaymentsHealthToken()).checkGateway()
    await module.close()
    return report
  }

  test('[F-C25] of the gateway is up only if it accepts the login and the key', async () => {
    const gateway = await startGateway()
    const { baseUrl, login, controlKey, endpointId } = gateway.merchant
    const right = { baseUrl, login, controlKey, endpointId }
    expect(await gatewayHealth(right)).toEqual({ status: 'up', instance: 'default' })
    const refused = { status: 'down', instance: 'default', reason: 'wrong key' }
    expect(await gatewayHealth({ ...right, controlKey: 'another-key' })).toEqual(refused)
    expect(await gatewayHealth({ ...right, login: 'nobody' })).toEqual(refused)
    await gateway.close()
  })

  const NO_ORDER = { status: undefined, 'paynet-order-id': undefined }

  test.each([
    [
      'it rejects for another reason',
      { ...NO_ORDER, type: 'validation-error', 'error-message': 'Endpoint not found' },
      400,
      'REJECTED',
    ],
    ['it answers nonsense', { ...NO_ORDER, type: 'nonsense' }, 500, 'NO_REPLY'],
    ['it reports an order that cannot exist', {}, 200, 'unclear'],
  ])('of the gateway is down if %s', async (_name, fields, httpStatus, reason) => {
    const report = await gatewayHealth(await clientOf(fields, httpStatus))
    expect(report).toEqual({ status: 'down', instance: 'default', reason })
  })

  test('of the gateway refuses a wrong option', async () => {
    const payments = PaymentsModule.forRoot({ client: NO_GATEWAY })
    const module = await Test.createTestingModule({ imports: [payments] }).compile()
    const health = module.get<PaymentsHealth>(getPaymentsHealthToken())
    await expect(health.checkGateway({ timeoutMs: -1 })).rejects.toThrow(/timeoutMs/)
    await module.close()
  })

  test('of an unreachable gateway is down', async () => {
    const payments = PaymentsModule.forRoot({ client: { ...NO_GATEWAY, readAttempts: 1 } })
    const module = await Test.createTestingModule({ imports: [payments] }).compile()
    const health = module.get<PaymentsHealth>(getPaymentsHealthToken())
    expect(await health.checkGateway({ timeoutMs: 1000 })).toMatchObject({ status: 'down', reason: 'NOT_SENT' })
    await module.close()
  })
})
