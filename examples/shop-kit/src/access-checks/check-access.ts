import { request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { cards } from '@tallystick/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buy } from '../journey/customer-pays.ts'
import { type StartShop, startWorld, type World } from '../world/world.ts'

type Headers = Readonly<Record<string, string>>

/** Checks that only the staff reaches the back office of a shop, and only from the shop's own pages. */
export function checkAccess(startShop: StartShop): void {
  let world: World
  let order: string
  let ofStaff: Headers
  beforeAll(async () => {
    world = await startWorld({ startShop, gatewayPort: 0, shopPort: 0 })
    const { url } = await (await buy(world.shop.url, 'Set of yew', cards.approved)).settle()
    order = new URL(url).pathname.split('/').at(-1) ?? ''
    ofStaff = basic(`staff:${world.staffPassword}`)
  })
  afterAll(() => world.close())

  const basic = (credentials: string): Headers => ({
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  })
  const changes = () => world.database.rows.order(order)?.operations.map(({ kind, status }) => `${kind} ${status}`)

  /** Without `fetch`, which chooses some headers itself. */
  async function ask(method: string, path: string, headers: Headers = {}) {
    const { hostname, port } = new URL(world.shop.url)
    return await new Promise<{ status: number | undefined; challenge: string | undefined; body: string }>(
      (resolve, reject) => {
        const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
        const asked = open({ hostname, port, method, path, headers: { ...form, ...headers } }, (reply) => {
          const { statusCode: status, headers: answered } = reply
          text(reply).then((body) => resolve({ status, challenge: answered['www-authenticate'], body }), reject)
        })
        asked.on('error', reject).end(method === 'POST' ? 'number=1&amount=10.00' : undefined)
      },
    )
  }
  const capture = (headers: Headers) => ask('POST', `/back-office/orders/${order}/capture`, headers)

  test('asks for a password, and shows no order without it', async () => {
    const office = ['/back-office', '/back-office?a=1', `/back-office/orders/${order}`]
    for (const path of office) {
      const { status, challenge, body } = await ask('GET', path)
      expect([path, status, challenge]).toEqual([path, 401, 'Basic realm="Back office", charset="UTF-8"'])
      expect(body).not.toContain(order)
    }
    expect((await capture({})).status).toBe(401)
    for (const path of [
      '/back-office/',
      '/BACK-OFFICE',
      '//back-office',
      '/x/../back-office',
      '/back%2Doffice',
      '/back-office;a',
    ]) {
      const { status, body } = await ask('GET', path)
      expect([path, [401, 404].includes(status ?? 0), body.includes(order)]).toEqual([path, true, false])
    }
    expect(changes()).toEqual(['preauth approved'])
  })

  test('refuses what is nearly the password', async () => {
    const { staffPassword } = world
    const wrong = ['', 'staff', 'staff:', `:${staffPassword}`, `boss:${staffPassword}`, staffPassword]
    wrong.push(`staff:${staffPassword} `, `staff:${staffPassword.slice(1)}`, `staff:${staffPassword.toLowerCase()}!`)
    for (const credentials of wrong) expect((await ask('GET', '/back-office', basic(credentials))).status).toBe(401)
    for (const authorization of [`Bearer ${staffPassword}`, 'Basic', 'Basic ????', staffPassword])
      expect((await ask('GET', '/back-office', { authorization })).status).toBe(401)
    const right = await ask('GET', '/back-office', ofStaff)
    expect([right.status, right.body.includes(order)]).toEqual([200, true])
  })

  test("answers to the shop's own names only, even with the password", async () => {
    const { port } = new URL(world.shop.url)
    const foreign = [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1:1',
      'localhost',
    ]
    for (const host of [...foreign, `localhost.:${port}`, `user@127.0.0.1:${port}`]) {
      for (const path of ['/back-office', `/orders/${order}`, '/']) {
        const { status, body } = await ask('GET', path, { ...ofStaff, host })
        expect([host, path, status, body.includes(order)]).toEqual([host, path, 421, false])
      }
      expect((await capture({ ...ofStaff, host, origin: `http://${host}` })).status).toBe(421)
    }
    expect((await ask('GET', '/back-office', { ...ofStaff, host: `LOCALHOST:${port}` })).status).toBe(200)
    expect(changes()).toEqual(['preauth approved'])
  })

  test('changes an order only by a form of its own, even with the password', async () => {
    const { url, port } = { url: world.shop.url, port: new URL(world.shop.url).port }
    const foreign = [
      'https://evil.example',
      'null',
      '',
      `https://127.0.0.1:${port}`,
      'http://127.0.0.1:1',
      `${url}.evil.example`,
    ]
    for (const origin of [...foreign, `http://localhost:${port}`])
      expect([origin, (await capture({ ...ofStaff, origin })).status]).toEqual([origin, 403])
    for (const site of ['cross-site', 'same-site'])
      expect((await capture({ ...ofStaff, 'sec-fetch-site': site })).status).toBe(403)
    const asked = await ask('GET', `/back-office/orders/${order}/capture?number=1&amount=10.00`, ofStaff)
    expect([asked.status, changes()]).toEqual([404, ['preauth approved']])
    expect((await capture({ ...ofStaff, origin: url, 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    await expect.poll(changes).toEqual(['preauth approved', 'capture approved'])
  })
}
