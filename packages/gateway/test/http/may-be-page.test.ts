import { describe, expect, test } from 'vitest'
import { mayBePage } from '../../src/http/may-be-page.ts'

const asked = (headers: Readonly<Record<string, string | string[]>>) => ({ method: 'GET', url: '/', headers, body: '' })

describe('a page of a browser may be asking', () => {
  test.each([
    'evil.example',
    'evil.example:9465',
    '127.0.0.1.evil.example',
    'localhost.',
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

describe('no page of another site asks', () => {
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
    'Sandbox.Shop.example:9465',
  ])('by the name %s', (host) => expect(mayBePage(asked({ host }), 'sandbox.shop.example')).toBe(false))

  test('where no name is sent, as every browser does', () => expect(mayBePage(asked({}))).toBe(false))
})
