import { describe, expect, test } from 'vitest'
import { mayBePage, namesThisMachine, pageRefused } from '../../src/http/request.ts'

const asked = (headers: Readonly<Record<string, string | string[]>>) => ({ method: 'GET', url: '/', headers, body: '' })

describe('a page of a browser may be asking', () => {
  test.each([
    'evil.example',
    'evil.example:9465',
    'evil.example.',
    '.',
    'arpa.evil.example',
    'gateway.payments',
    'home.arpa.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    ':',
    '%',
  ])('by the name %s', (host) => expect(mayBePage(asked({ host }), 'sandbox.shop.example')).toBe(true))

  test('by two names', () => expect(mayBePage(asked({ host: ['a.example', 'localhost'] }))).toBe(true))

  test('that its browser names', () => {
    for (const origin of ['https://evil.example', 'null', '']) {
      expect(mayBePage(asked({ host: 'localhost', origin }))).toBe(true)
    }
  })
})

describe('a page of another site cannot be asking', () => {
  test.each([
    'localhost',
    'LOCALHOST:9465',
    '127.0.0.1:9465',
    '10.0.0.7',
    '[::1]:9465',
    '[::ffff:127.0.0.1]',
    'gateway:9465',
    'host.docker.internal',
    'gateway.shop.svc.cluster.local:80',
    'shop.localhost',
    'localhost.:9465',
    'gateway.shop.svc.cluster.local.',
    'gateway.payments.svc',
    'gateway.test',
    'gateway.lan',
    'gateway.home.arpa',
    'Sandbox.Shop.example:9465',
  ])('by the name %s', (host) => expect(mayBePage(asked({ host }), 'sandbox.shop.example')).toBe(false))

  test('if no name is sent, as every browser would', () => expect(mayBePage(asked({}))).toBe(false))
})

test('a caller who is refused for the name learns the name, and how to ask instead', () => {
  expect(pageRefused(asked({ host: 'gateway.payments:9465' }))).toBe(
    'a page in a browser may not ask here, and gateway.payments:9465 may be the name of one: ask by an IP address',
  )
  expect(pageRefused(asked({ host: 'localhost', origin: 'null' }))).toBe('a page in a browser may not ask here')
})

describe('names of this machine', () => {
  test.each([
    'localhost',
    'LOCALHOST:9465',
    '127.0.0.1:9465',
    '127.8.4.2',
    '[::1]:9465',
    'shop.localhost',
    'Sandbox:9465',
  ])('[F-B18] have %s', (host) => expect(namesThisMachine(asked({ host }), 'sandbox')).toBe(true))

  test.each([
    'evil.example',
    '10.0.0.7',
    'gateway',
    'shop.lan',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
    '%',
  ])('[F-B18] do not have %s', (host) => expect(namesThisMachine(asked({ host }), 'sandbox')).toBe(false))
})
