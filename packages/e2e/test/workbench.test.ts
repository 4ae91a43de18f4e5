import { Secret } from '@tallystick/core'
import { createGateway, createSandbox, simulator } from '@tallystick/gateway'
import { startGateway } from '@tallystick/testing'
import { expect, onTestFinished, test } from 'vitest'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
const FILES = ['/', '/workbench.js', '/workbench.css']

async function sandbox() {
  const gateway = await startGateway()
  onTestFinished(() => gateway.close())
  const handle = createSandbox(gateway, { operatorKey: new Secret(KEY) })
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    handle({ method: 'GET', url, headers: { host: '127.0.0.1:9465', ...headers }, body: '' })
  return { gateway, get }
}

test('[F-E10] the port of a sandbox serves a page of at most 150 kB, whose policy lets nothing in from elsewhere', async () => {
  const { get } = await sandbox()
  const replies = await Promise.all(FILES.map((path) => get(path)))
  expect(replies.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/javascript; charset=utf-8'],
    [200, 'text/css; charset=utf-8'],
  ])
  const bytes = replies.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
  expect(bytes).toBeLessThanOrEqual(150_000)
  const [page, script] = replies
  expect(page?.headers['content-security-policy']).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'; " +
      "connect-src 'self'; img-src data:; form-action 'none'; require-trusted-types-for 'script'",
  )
  expect(page?.body).not.toMatch(/<script(?![^>]* src="\/)|<style|\son\w+=|https?:/)
  expect(script?.body).not.toContain(KEY)
})

test('[F-E10] [F-B18] the page is served only by a name of this machine, and to no page of another site', async () => {
  const { get } = await sandbox()
  for (const path of FILES) {
    expect((await get(path, { host: 'evil.example.com' })).status).toBe(403)
    expect((await get(path, { host: 'shop.lan:9465' })).status).toBe(403)
    expect((await get(path, { origin: 'http://evil.example.com' })).status).toBe(403)
  }
  expect((await get('/?token=wrong')).status).toBe(200)
  expect((await get('/workbench.js.map')).status).toBe(404)
})

test('[F-E10] outside a sandbox there is no page', async () => {
  const gateway = createGateway({
    publicUrl: 'https://gate.example.com/paynet',
    merchants: [{ login: 'shop', controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', endpoints: [{ id: '1' }] }],
    acquirer: simulator(),
  })
  onTestFinished(() => gateway.close())
  expect(() => createSandbox(gateway)).toThrow('the gateway is no sandbox')
  for (const url of [...FILES, '/paynet/', '/paynet/workbench.js']) {
    const { status, body } = await gateway.handle({ method: 'GET', url, headers: {}, body: '' })
    expect([url, status >= 400, body.includes('workbench')]).toEqual([url, true, false])
  }
})

test('[F-E12] the sandbox says what to put into a shop, without a key', async () => {
  const { gateway, get } = await sandbox()
  const { login, endpointId, baseUrl, controlKey } = gateway.merchant
  const { status, body } = await get('/__sandbox/setup')
  expect([status, JSON.parse(body)]).toEqual([200, { baseUrl, merchants: [{ login, endpoints: [endpointId] }] }])
  expect(body).not.toContain(typeof controlKey === 'string' ? controlKey : controlKey.reveal())
})
