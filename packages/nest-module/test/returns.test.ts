import { type Inbound, type Outbound, type PaymentClient, redirectTo } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { getPaymentClientToken, PaymentsModule } from '../src/index.ts'
import { FakeJournal } from './outcomes/fake-journal.ts'
import { callback, clientOf, NO_GATEWAY, ORDER, PLATFORMS, startApp } from './support.ts'

const page = (body: string) => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body })

describe.each(PLATFORMS)('the returning customer on %s', (_platform, adapter) => {
  test('[G6-09] sees what the status says, by POST and by GET', async () => {
    const imports = [
      PaymentsModule.forRoot({
        client: await clientOf({ status: 'declined' }),
        browserReturn: {
          path: 'paid',
          show: (view) =>
            view.shown === 'unknown-order' ? page('unknown') : page(`${view.clientOrderId} is ${view.shown}`),
        },
      }),
    ]
    const { url } = await startApp(adapter, { imports })
    const post = await fetch(`${url}/paid`, { method: 'POST', body: callback('approved') })
    expect([post.status, post.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await post.text()).toBe('inv-77-a is declined')
    expect(await (await fetch(`${url}/paid?${callback('approved')}`)).text()).toBe('inv-77-a is declined')
    expect(await (await fetch(`${url}/paid?${callback('approved', 'a wrong key')}`)).text()).toBe('unknown')
    expect((await fetch(`${url}/paid`, { method: 'DELETE' })).status).toBe(405)
  })

  test('is shown what the journal says, and can be redirected', async () => {
    const imports = [
      PaymentsModule.forRootAsync({
        name: 'eu',
        browserReturn: { path: 'eu/paid' },
        useFactory: () => ({
          client: NO_GATEWAY,
          journal: (client: PaymentClient, handler) => new FakeJournal(client, handler),
          browserReturn: { show: (view: string) => redirectTo(`https://shop.example.com/${view.length}/ü`) },
        }),
      }),
    ]
    const { url } = await startApp(adapter, { imports })
    const reply = await fetch(`${url}/eu/paid`, { method: 'POST', body: callback(), redirect: 'manual' })
    // The fake journal says "the page of inv-77-a".
    expect([reply.status, reply.headers.get('location')]).toEqual([303, 'https://shop.example.com/20/%C3%BC'])
  })

  test('gets the page of each next step during 3-D Secure', async () => {
    const taken: [Inbound, object][] = []
    const steps = [
      { taken: 'step', upload: { outcome: 'accepted' }, next: { step: 'challenge', page: page('<form>') } },
      {
        taken: 'step',
        upload: { outcome: 'accepted' },
        orderId: ORDER.orderid,
        next: { step: 'none', outcome: { outcome: 'approved' } },
      },
    ]
    const client = {
      threeDs: {
        take: async (inbound: Inbound, options: object) => {
          taken.push([inbound, options])
          return steps.shift()
        },
      },
      close: async () => {},
    }
    const imports = [
      PaymentsModule.forRoot({
        client: NO_GATEWAY,
        threeDsReturn: {
          path: '3ds',
          returnUrl: 'https://shop.example.com/3ds',
          language: 'de',
          show: ({ outcome, orderId }) => page(`${orderId} is ${outcome}`),
        },
      }),
    ]
    const { url } = await startApp(
      adapter,
      { imports },
      { override: (builder) => builder.overrideProvider(getPaymentClientToken()).useValue(client) },
    )
    const come = () =>
      fetch(`${url}/3ds?step=1`, {
        method: 'POST',
        body: new URLSearchParams({ cres: 'x' }),
        headers: { accept: 'text/html' },
      })
    expect(await (await come()).text()).toBe('<form>')
    expect(await (await come()).text()).toBe('123456789012345 is approved')
    expect(taken).toMatchObject([
      [
        { method: 'POST', query: 'step=1', body: { cres: 'x' }, headers: { accept: 'text/html' } },
        { returnUrl: 'https://shop.example.com/3ds', headers: { accept: 'text/html' }, customerIp: '127.0.0.1' },
      ],
      [{ method: 'POST' }, { language: 'de' }],
    ])
    expect(taken[0]?.[1]).not.toHaveProperty('path')
  })

  test.each([
    ['none at all', undefined],
    ['one without a body', { status: 200, headers: {} }],
    ['a status that is no number', { ...page('x'), status: 'ok' }],
    ['a header in two lines', { ...page('x'), headers: { 'x-shop': 'a\nb' } }],
    ['an address that no header can hold', { ...page(''), status: 303, headers: { location: '/thanks?name=Zoë✓' } }],
  ])('gets a 500 if `show` returns an answer that cannot be sent: %s', async (_name, answer) => {
    const show = () => answer as Outbound
    const imports = [PaymentsModule.forRoot({ client: await clientOf(), browserReturn: { path: 'paid', show } })]
    const { url } = await startApp(adapter, { imports })
    const reply = await fetch(`${url}/paid?${callback()}`, { redirect: 'manual' })
    expect([reply.status, await reply.json()]).toMatchObject([500, { statusCode: 500 }])
  })

  test('gets a 503 if the journal is down', async () => {
    const imports = [
      PaymentsModule.forRoot({
        client: NO_GATEWAY,
        journal: (client, handler) =>
          Object.assign(new FakeJournal(client, handler), {
            browserReturn: async () => {
              throw new TypeError('the database is down')
            },
          }),
        browserReturn: { path: 'paid', show: () => page('never') },
      }),
    ]
    const { url } = await startApp(adapter, { imports })
    expect((await fetch(`${url}/paid?${callback()}`)).status).toBe(503)
  })
})
