import { format, inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Acquirer, createRecording, type GatewayRequest, memoryStore } from '../src/index.ts'
import type { Change, Store } from '../src/store-port.ts'
import { deciding } from './support/acquirers.ts'
import { STEPS } from './support/issuer.ts'
import { encode, form, oauthSigned, SALE, SHOP, type Signer, sale, status } from './support/signed-requests.ts'
import { testGateway } from './support/test-gateway.ts'

const PAN = '4485940822379130'
const CVVS = ['1234', '7391']
/** With characters that are escaped on the wire. */
const KEY = 'B17F59B4&A7DC=41B4+8FF9/37D986B43D20'

const SIGNER: Signer = { ...SHOP, controlKey: KEY }

/** A secret in every spelling that a log, an address or a record may give it. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const percent = hex.replace(/../g, '%$&')
  const grouped = secret.replace(/\d{4}(?=\d)/g, '$& ')
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const base64url = bytes.toString('base64url')
  const all = [secret, encode(secret), JSON.stringify(secret).slice(1, -1), percent, hex, grouped, base64, base64url]
  return all.flatMap((text) => [text, text.toUpperCase(), encode(text)])
}

/** Ids that cannot look like a CVV by chance. */
function countedIds() {
  let at = 0
  const next = () => String(at++).padStart(3, '0')
  return {
    orderId: () => `900000000000${next()}`,
    serialNumber: () => `00000000-0000-4000-8000-000000000${next()}`,
    pageToken: () => `token-${next()}`,
  }
}

/** A store that keeps everything that it was ever given, and on demand fails with an error that quotes it. */
function keepingStore(failing?: 'commit' | 'outcome' | 'findOrder') {
  const inner = memoryStore()
  const kept: unknown[] = []
  const keep = (given: unknown, fails: boolean) => {
    kept.push(given)
    if (fails) throw new Error(`the store failed for ${inspect(given, { depth: 9 })}`)
  }
  const failsCommit = ({ order }: Change) =>
    failing === 'commit' || (failing === 'outcome' && order !== undefined && order.basedOn !== 'nothing')
  const store: Store = {
    ...inner,
    commit: async (change, now) => {
      keep(change, failsCommit(change))
      return await inner.commit(change, now)
    },
    findOrder: async (names) => {
      keep(names, failing === 'findOrder')
      return await inner.findOrder(names)
    },
  }
  return { store, kept }
}

/** Amounts are `bigint`, which JSON does not have. */
const json = (given: unknown) =>
  JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

const failing = (part: keyof Acquirer): Acquirer =>
  deciding({
    [part]: async (given: unknown) => {
      throw new Error(
        `${part} failed for ${inspect(given, { showHidden: true })} ${String(given)} ${json(given)} ${format('%o %O', given, given)}`,
      )
    },
  })

const CARD = { credit_card_number: PAN, card_printed_name: 'CANARY', phone: '+49 30 999888', merchant_data: 'm' }
const CALLED = { server_callback_url: 'https://shop.example.com/cb' }

function requests(cvv2: string): GatewayRequest[] {
  const card = { ...CARD, cvv2, ...CALLED }
  const payout = { client_orderid: 'out-1', amount: '1', currency: 'EUR', credit_card_number: PAN }
  const right = sale(card, SIGNER)
  return [
    right,
    right,
    sale({ ...card, amount: '11' }, SIGNER),
    sale({ ...card, client_orderid: 'inv-2', city: '' }, SIGNER),
    sale({ ...card, client_orderid: 'inv-2', expire_month: PAN }, SIGNER),
    sale({ ...card, client_orderid: 'inv-2', cvv2: `${cvv2}${PAN}` }, SIGNER),
    sale({ ...card, amount: PAN }, SIGNER),
    { ...right, body: form({ ...SALE, ...card, control: KEY }) },
    { ...right, body: `${right.body}&credit_card_number=${PAN}` },
    { ...right, body: `${right.body}&${PAN}=%` },
    { ...right, url: `/paynet/api/v2/sale/${PAN}` },
    { ...right, url: `/paynet/api/v2/${PAN}/1111` },
    { ...right, headers: { ...right.headers, accept: PAN, 'content-type': PAN } },
    { ...right, headers: { ...right.headers, authorization: `Basic ${PAN}` } },
    oauthSigned('/api/v2/payout/1111', payout, { method: 'HMAC-SHA1', key: KEY }),
    oauthSigned('/api/v2/payout/1111', payout, { method: 'HMAC-SHA1', key: KEY }),
    oauthSigned('/api/v4/payout-check/1111', payout, { method: 'HMAC-SHA1', key: KEY }),
    status({ client_orderid: 'inv-1' }, SIGNER),
    status({ client_orderid: PAN.slice(1) }, SIGNER),
  ]
}

interface Setup {
  readonly failing?: 'commit' | 'outcome' | 'findOrder'
  readonly acquirer?: Acquirer
  readonly sandbox?: boolean
}

describe('no card number, no CVV and no key', () => {
  const setups = {
    'when all goes well': {},
    'when nothing can be stored': { failing: 'commit' },
    'when the order cannot be read': { failing: 'findOrder' },
    'when the outcome cannot be stored': { failing: 'outcome' },
    'when the acquirer takes no card': { acquirer: failing('tokenize') },
    'when the acquirer does not carry it out': { acquirer: failing('execute') },
    'when a sandbox explains': { sandbox: true },
  } as const satisfies Record<string, Setup>

  const cases = Object.entries(setups).flatMap(([name, setup]) =>
    (['json', 'classic'] as const).flatMap((format) => CVVS.map((cvv2) => ({ name, setup, format, cvv2 }))),
  )

  test.for(cases)(
    '[S2-04] [S5.1-02] [F-E1] leaves the gateway $name ($format, $cvv2)',
    async ({ setup, format, cvv2 }) => {
      const { failing, ...options }: Setup = setup
      const { store, kept } = keepingStore(failing)
      const recorder = createRecording()
      const { gateway, heard, calls } = testGateway({
        store,
        recorder,
        ids: countedIds(),
        replyFormat: format,
        merchants: [{ login: 'shop', controlKey: KEY, endpoints: [{ id: '1111' }] }],
        ...options,
      })
      const replies: unknown[] = []
      for (const request of requests(cvv2)) {
        const accept = format === 'classic' ? undefined : request.headers['accept']
        replies.push(await gateway.handle({ ...request, headers: { ...request.headers, accept } }))
        await gateway.settled()
      }
      const recorded = recorder.ndjson()
      expect(recorded.split('\n').length).toBeGreaterThan(2 * replies.length)
      const told = { replies, heard, calls, kept, gateway, recorded }
      const text = [
        inspect(told, { depth: 20, showHidden: true, maxStringLength: 1e6, maxArrayLength: 1e4 }),
        json(told),
      ]
        .join('\n')
        .replaceAll(/[\da-f]{64}/g, '<digest>')
        .replaceAll(/^ +at .*$/gm, '')
      expect(text).toContain('448594')
      for (const [secret, searched] of [
        [PAN, text],
        [KEY, text],
        [cvv2, withoutCardIds(text)],
      ] as const) {
        expect(spellings(secret).filter((spelling) => searched.includes(spelling))).toEqual([])
      }
      if (failing !== undefined || options.acquirer !== undefined) expect(heard.length).toBeGreaterThan(0)
    },
  )

  test.for(['declined', 'filtered', 'error'] as const)(
    'stays where the acquirer quotes it: what it says of a payment that is %s is masked before it is kept or told',
    async (outcome) => {
      const errorMessage = `No: ${PAN} (4485 9408 2237 9130), cvv2=7391`
      const execute = async () => ({ status: outcome, errorCode: '5', errorMessage })
      const { store, kept } = keepingStore()
      const { gateway, calls } = testGateway({ store, acquirer: deciding({ execute }) })
      await gateway.handle(sale({ ...CARD, ...CALLED }))
      await gateway.settled()
      const told = await gateway.handle(status({ client_orderid: 'inv-1' }))
      expect(told.body).toContain('No: 448594******9130 (4485 94** **** 9130), cvv2=***')
      const text = inspect([kept, calls, told], { depth: 20, maxStringLength: 1e6, maxArrayLength: 1e4 })
      expect(spellings(PAN).filter((spelling) => text.includes(spelling))).toEqual([])
    },
  )

  test('stays where the acquirer tells it beside a step of 3DS: of that is kept what the customer needs', async () => {
    const execute = async () => ({ status: 'processing', awaits: { ...STEPS.challenge, of: { number: PAN } } }) as const
    const { store, kept } = keepingStore()
    const { gateway } = testGateway({ store, acquirer: deciding({ execute }) })
    await gateway.handle(sale({ ...CARD, ...CALLED, cvv2: '321' }))
    await gateway.settled()
    expect((await store.recentOrders('shop', 1))[0]?.operations[0]?.outcome.awaits).toEqual(STEPS.challenge)
    const text = inspect(kept, { depth: 20, maxStringLength: 1e6, maxArrayLength: 1e4 })
    expect(spellings(PAN).filter((spelling) => text.includes(spelling))).toEqual([])
  })

  test('only the ids of cards are left out of the search, and only for a CVV', () => {
    const id = 'a7391b5c'.repeat(4)
    expect(withoutCardIds(`{"cardId":"${id}"} ${id} 7391`)).toBe('{"cardId":"<card>"} <card> 7391')
    const pan = Buffer.from(PAN).toString('hex')
    expect(withoutCardIds(pan)).toBe(pan)
  })

  test('the canary sings: each spelling is found where a secret is told', () => {
    expect(spellings(PAN)).toContain('34343835393430383232333739313330')
    expect(spellings(PAN)).toContain('NDQ4NTk0MDgyMjM3OTEzMA')
    expect(spellings(PAN)).toContain('4485 9408 2237 9130')
    expect(spellings(KEY)).toContain('B17F59B4%26A7DC%3D41B4%2B8FF9%2F37D986B43D20')
    expect(CVVS.flatMap(spellings)).toContain('%37%33%39%31')
  })
})

/** The ids of cards are random, and may hold a CVV by chance. Only texts that are named as such ids are left out. */
function withoutCardIds(text: string): string {
  const ids = new Set(Array.from(text.matchAll(/"cardId":"([\da-f]{32})"/g), ([, id = '']) => id))
  return [...ids].reduce((rest, id) => rest.replaceAll(id, '<card>'), text)
}
