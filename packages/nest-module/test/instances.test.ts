import { Inject, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import type { PaymentClient, PaymentOutcome } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { getPaymentClientToken, InjectPaymentClient, PaymentsModule, type PaymentsSettings } from '../src/index.ts'
import { callback, clientOf, KEY, moduleOf, NO_GATEWAY, PLATFORMS, postCallback, startApp } from './support.ts'

@Injectable()
class Checkout {
  readonly payments: PaymentClient

  constructor(@InjectPaymentClient() payments: PaymentClient) {
    this.payments = payments
  }
}

@Injectable()
class TwoShops {
  readonly eu: PaymentClient
  readonly us: PaymentClient

  constructor(@InjectPaymentClient('eu') eu: PaymentClient, @InjectPaymentClient('us') us: PaymentClient) {
    this.eu = eu
    this.us = us
  }
}

/** Signed with the key of the app's settings. */
const SIGNED = (() => {
  const {
    status = '',
    orderid = '',
    client_orderid = '',
    control = '',
  } = Object.fromEntries(callback('approved', 'key-of-the-app'))
  return { status, orderId: orderid, clientOrderId: client_orderid, control, extra: {} }
})()

const SETTINGS = Symbol('settings of the shop')

@Module({ providers: [{ provide: SETTINGS, useValue: { controlKey: 'key-of-the-app' } }], exports: [SETTINGS] })
class ConfigModule {}

@Injectable()
class SettingsFromClass {
  readonly #controlKey: string

  constructor(@Inject(SETTINGS) { controlKey }: { readonly controlKey: string }) {
    this.#controlKey = controlKey
  }

  createPaymentsSettings(): PaymentsSettings {
    return { client: { ...NO_GATEWAY, controlKey: this.#controlKey } }
  }
}

@Module({ imports: [ConfigModule], providers: [SettingsFromClass], exports: [SettingsFromClass] })
class SettingsModule {}

describe('an instance', () => {
  test('is injected without a name, and calls its gateway', async () => {
    const client = await clientOf()
    const module = await Test.createTestingModule({
      imports: [PaymentsModule.forRoot({ client })],
      providers: [Checkout],
    }).compile()
    const { payments } = module.get(Checkout)
    expect(payments).toBe(module.get(getPaymentClientToken()))
    expect(await payments.status({ clientOrderId: 'inv-77-a' })).toMatchObject({ status: 'approved' })
    await module.close()
  })

  test('is one of several, distinguished by name', async () => {
    const module = await Test.createTestingModule({
      imports: [
        PaymentsModule.forRoot({ name: 'eu', client: await clientOf({ amount: '1.00' }) }),
        PaymentsModule.forRootAsync({
          name: 'us',
          useFactory: async () => ({ client: await clientOf({ amount: '2.00' }) }),
        }),
      ],
      providers: [TwoShops],
    }).compile()
    const { eu, us } = module.get(TwoShops)
    const order = { clientOrderId: 'inv-77-a' }
    expect([(await eu.status(order)).amount, (await us.status(order)).amount]).toEqual(['1.00', '2.00'])
    await module.close()
  })

  test('can be injected in every module if it is global, and otherwise in those that import it', async () => {
    const OtherModule = moduleOf({ providers: [Checkout] })
    const start = (global: boolean) =>
      Test.createTestingModule({
        imports: [PaymentsModule.forRoot({ client: NO_GATEWAY, global }), OtherModule],
      }).compile()
    const module = await start(true)
    expect(module.get(Checkout, { strict: false }).payments).toBe(module.get(getPaymentClientToken()))
    await module.close()
    await expect(start(false)).rejects.toThrow(/dependencies of the Checkout/)
  })

  test.each([
    [
      'a factory',
      { inject: [SETTINGS], useFactory: (given: { controlKey: string }) => ({ client: { ...NO_GATEWAY, ...given } }) },
    ],
    ['a class', { useClass: SettingsFromClass }],
  ])('takes its settings from %s of the app', async (_name, settings) => {
    const payments = PaymentsModule.forRootAsync({ imports: [ConfigModule], global: true, ...settings })
    const module = await Test.createTestingModule({ imports: [payments], providers: [Checkout] }).compile()
    expect(module.get(Checkout).payments.verifiesCallback(SIGNED)).toBe(true)
    await module.close()
  })

  test('takes its settings from an existing provider', async () => {
    const payments = PaymentsModule.forRootAsync({ imports: [SettingsModule], useExisting: SettingsFromClass })
    const module = await Test.createTestingModule({ imports: [payments], providers: [Checkout] }).compile()
    expect(module.get(Checkout).payments.verifiesCallback(SIGNED)).toBe(true)
    await module.close()
  })

  test('does not start with a bad key', async () => {
    const start = (client: typeof NO_GATEWAY) =>
      Test.createTestingModule({ imports: [PaymentsModule.forRoot({ client })] }).compile()
    await expect(start({ ...NO_GATEWAY, controlKey: '' })).rejects.toThrow(/controlKey/)
    await expect(start({ ...NO_GATEWAY, privateKey: 'no key' })).rejects.toThrow(/PEM/)
  })

  test('can be replaced in a test by its token, also for its routes, and then needs no key', async () => {
    const heard: PaymentOutcome[] = []
    const { url } = await startApp(
      PLATFORMS[0]?.[1] ?? expect.fail(),
      {
        imports: [
          PaymentsModule.forRoot({
            client: { ...NO_GATEWAY, controlKey: '' },
            callbacks: { path: 'cb', onOutcome: (outcome) => void heard.push(outcome) },
          }),
        ],
      },
      {
        override: (builder) =>
          builder.overrideProvider(getPaymentClientToken()).useValue({
            verifiesCallback: () => true,
            status: async () => ({ type: 'status-response', status: 'declined' }),
            close: async () => {},
          }),
      },
    )
    expect(await postCallback(`${url}/cb`, callback('declined', 'another key'))).toBe(200)
    expect(heard).toMatchObject([{ status: 'declined' }])
  })
})

describe.each(PLATFORMS)('several instances on %s', (_platform, adapter) => {
  test.each(['reference', 'deep-hash'] as const)(
    'have routes and listeners of their own (modules told apart by %s)',
    async (moduleIdGeneratorAlgorithm) => {
      const heard: string[] = []
      const instance = async (name: string, controlKey: string) =>
        PaymentsModule.forRoot({
          name,
          client: { ...(await clientOf()), controlKey },
          callbacks: { path: `payments/${name}/callback`, onOutcome: () => void heard.push(name) },
        })
      const imports = [await instance('eu', KEY), await instance('us', 'another key')]
      const app = await NestFactory.create(moduleOf({ imports }), adapter(), {
        logger: false,
        abortOnError: false,
        moduleIdGeneratorAlgorithm,
      })
      await app.listen(0, '127.0.0.1')
      const url = await app.getUrl()
      expect(await postCallback(`${url}/payments/eu/callback`)).toBe(200)
      expect(await postCallback(`${url}/payments/us/callback`)).toBe(403)
      expect(await postCallback(`${url}/payments/us/callback`, callback('approved', 'another key'))).toBe(200)
      expect(heard).toEqual(['eu', 'us'])
      await app.close()
    },
  )
})
