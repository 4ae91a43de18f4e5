import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createGateway, type Gateway, simulator } from '../../src/index.ts'
import { openingOperation } from '../../src/orders/operations.ts'
import { sqliteStore } from '../../src/sqlite.ts'
import type { Store } from '../../src/store-port.ts'
import { sqliteFile } from '../store/sqlite-file.ts'
import { at, type Ids } from '../support/desk.ts'
import { type Left, out, page, type SeenPage, visitor } from '../support/page-visitor.ts'
import { BASE_URL, type Fields, merchants, SHOP } from '../support/signed-requests.ts'
import {
  base64,
  CARDS,
  decoded,
  FAILED,
  RETURN_URL,
  redirected,
  SOLD,
  STORES,
  threeDsDesk,
  VALIDATING,
  VAULT_KEYS,
} from '../support/three-ds.ts'
import { counter, FORM, TYPED } from './browser.ts'

type Card = keyof typeof CARDS
const FLOWS = ['challenge', 'method', 'noMethodUrl', 'pareq'] as const satisfies readonly Card[]
const CANCEL = { code: '', cancel: '1' }

/** How the method step of each card ends, and which page of the issuer then asks for the code. */
const ISSUERS: ReadonlyArray<readonly [card: Card, completion: string | undefined, asks: string | undefined]> = [
  ['challenge', undefined, 'challenge'],
  ['method', 'Y', 'challenge'],
  ['frictionless', 'Y', undefined],
  ['noMethodUrl', 'U', 'challenge'],
  ['pareq', undefined, 'pareq'],
]

/** The forms that ask for a card to pay with or to verify, and how their orders end. */
const FORMS = [
  ['/api/v2/sale-form', ['approved', 'sale', 'sale_approved', '34.00', '34.00']],
  ['/api/v2/preauth-form', ['approved', 'preauth', 'auth_approved', '34.00', '34.00']],
  ['/api/v2/payment-form', ['approved', 'sale', 'sale_approved', '34.00', '34.00']],
  [
    '/api/v2/account-verification-form',
    ['approved', 'account verification', 'account_verification_approved', undefined, undefined],
  ],
] as const

describe.for(STORES)('3DS on the pages of the gateway, %s', ([, open]) => {
  let store: Store
  beforeEach(({ onTestFinished }) => {
    const opened = open()
    store = opened.store
    onTestFinished(opened.end)
  })

  const deskOn = () => threeDsDesk({ store })
  const completion = async ({ orderid }: Ids) => {
    const order = await store.orderById(orderid)
    return order === undefined ? undefined : openingOperation(order).outcome.methodCompletion
  }

  describe.for([
    ['with script', true],
    ['without script', false],
  ] as const)('%s', ([, script]) => {
    test.for(FLOWS)(
      '[S1-16] [G8-04] [G10-02] [G13-25] the right code approves a payment, and the browser goes back: %s',
      async (card) => {
        const { begin, shown, told, gateway, heard } = deskOn()
        const { ids, redirectTo } = await begin(redirected(card))
        const { go, answer } = visitor(gateway, { script })
        const left = out(await answer(await go(redirectTo), { code: 'hint' }))
        expect(left.to).toBe(RETURN_URL)
        expect(left.fields).toMatchObject({
          status: 'approved',
          orderid: ids.orderid,
          client_orderid: ids.client_orderid,
          control: returnControl('approved', ids),
        })
        expect(await shown(ids)).toEqual(SOLD)
        expect((await told(ids))['verified-3d-status']).toBe('AUTHENTICATED')
        expect(heard).toEqual([])
      },
    )

    test.for(FLOWS)('three wrong codes decline it: %s', async (card) => {
      const { begin, shown, told, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected(card))
      const { go, answer } = visitor(gateway, { script })
      let at = await go(redirectTo)
      for (const left of ['You can try 2 more times.', 'This is the last try.']) {
        at = page(await answer(at, { code: 'wrong' }))
        expect(at.reply.status).toBe(422)
        expect(at.text).toContain(`This code is not right. ${left}`)
      }
      expect(await shown(ids)).toEqual(VALIDATING)
      const gone = out(await answer(at, { code: 'wrong' }))
      expect([gone.to, gone.fields['status']]).toEqual([RETURN_URL, 'declined'])
      expect(await shown(ids)).toEqual(FAILED)
      expect(await told(ids)).not.toHaveProperty('verified-3d-status')
    })

    test.for(FLOWS)('a customer who cancels declines it: %s', async (card) => {
      const { begin, told, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected(card))
      const { go, answer } = visitor(gateway, { script })
      const { fields } = out(await answer(await go(redirectTo), CANCEL))
      expect(fields['status']).toBe('declined')
      expect(await told(ids)).toMatchObject({
        status: 'declined',
        'error-code': '122',
        'error-message': 'Security violation: the customer cancelled the authentication',
      })
    })

    test('a payment that the issuer asks nothing more about is approved after the method frame', async () => {
      const { begin, shown, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('frictionless'))
      const { fields } = out(await visitor(gateway, { script }).go(redirectTo))
      expect(fields['status']).toBe('approved')
      expect(await shown(ids)).toEqual(SOLD)
    })

    test('any process can continue it', async () => {
      for (const card of FLOWS) {
        const { ids, redirectTo } = await deskOn().begin({ ...redirected(card), client_orderid: card })
        let at: SeenPage | Left = await visitor(deskOn().gateway, { script }).open(redirectTo)
        for (let steps = 0; 'text' in at; steps++) {
          expect(steps).toBeLessThan(10)
          const { follow, answer } = visitor(deskOn().gateway, { script })
          at = at.text.includes('name="code"') ? await answer(at, { code: 'hint' }) : await follow(at)
        }
        expect(await deskOn().shown(ids)).toEqual(SOLD)
      }
    })
  })

  describe('the method frame', () => {
    test('[S2-11] that reports that it is done is Y', async () => {
      const { begin, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('method'))
      await visitor(gateway).go(redirectTo)
      expect(await completion(ids)).toBe('Y')
    })

    test('[S8-01] [G12-13] that is not done after 10 seconds is N', async () => {
      const { begin, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('method'))
      const { open: show, submit } = visitor(gateway)
      const [frame, goOn] = (await show(redirectTo)).forms
      expect([frame?.target, frame?.after]).toEqual(['method', 0])
      expect(goOn).toMatchObject({ after: 10_000, fields: { threeDSCompInd: 'N' }, hasButton: true })
      if (goOn !== undefined) await submit(goOn)
      expect(await completion(ids)).toBe('N')
    })

    test('[G12-13] has the time that the profile says', async () => {
      const { begin, gateway } = threeDsDesk({ store, profile: { threeDsMethodWaitSeconds: 30 } })
      const { redirectTo } = await begin(redirected('method'))
      const shown = await visitor(gateway).open(redirectTo)
      expect(shown.forms[1]?.after).toBe(30_000)
      expect(shown.text).toContain('30 seconds')
    })

    test('that does not work without script is N, by the button', async () => {
      const { begin, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('method'))
      await visitor(gateway, { script: false }).go(redirectTo)
      expect(await completion(ids)).toBe('N')
    })

    test('[S2-11] that has no address is U, and there is no frame', async () => {
      const { begin, gateway } = deskOn()
      for (const script of [true, false]) {
        const { ids, redirectTo } = await begin(redirected('noMethodUrl'))
        const { open: show, follow } = visitor(gateway, { script })
        const first = await show(redirectTo)
        expect(first.text).not.toContain('<iframe')
        await follow(first)
        expect(await completion(ids)).toBe('U')
      }
    })

    test('posts threeDSMethodData to the method URL, which may redirect to any host, and ends at the gateway', async () => {
      const { begin, gateway } = deskOn()
      const { redirectTo } = await begin(redirected('method'))
      const { open: show, submit } = visitor(gateway)
      const shown = await show(redirectTo)
      const token = redirectTo.split('/').at(-1)
      const [frame] = shown.forms
      expect(frame?.action).toBe(`${BASE_URL}/acs/method/${token}`)
      expect(decoded(frame?.fields['threeDSMethodData'])).toEqual({
        threeDSServerTransID: expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
        threeDSMethodNotificationURL: `${BASE_URL}/3ds/method/${token}`,
      })
      expect(policyOf(shown)).toMatchObject({
        // Any host of the scheme: browsers apply both directives to redirects of the issuer's answer as well.
        'frame-src': "'self' https:",
        'form-action': "'self' https:",
        'frame-ancestors': "'none'",
      })
      const inside = frame === undefined ? shown : await submit(frame)
      expect(policyOf(inside)).toMatchObject({ 'frame-ancestors': '*' })
      const [notification] = inside.forms
      const left = notification === undefined ? inside : await submit(notification)
      expect(policyOf(left)).toMatchObject({ 'frame-ancestors': "'self'" })
    })

    test.for([
      ['of another transaction', { threeDSMethodData: base64({ threeDSServerTransID: 'x' }) }],
      ['of no transaction', { threeDSMethodData: base64({}) }],
      ['that cannot be read', { threeDSMethodData: '{' }],
      ['that is no object', { threeDSMethodData: base64(null) }],
      ['with a Y of its own', { threeDSCompInd: 'Y' }],
      ['with a U though there is a method URL', { threeDSCompInd: 'U' }],
      ['with nothing', { nothing: '1' }],
    ] as const)('does not go on with a notification %s', async ([, fields]) => {
      const { begin, shown, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('method'))
      await visitor(gateway).post(redirectTo.replace('redirect', 'method'), fields)
      expect(await completion(ids)).toBeUndefined()
      expect(await shown(ids)).toEqual(VALIDATING)
    })
  })

  describe('a result that was tampered with', () => {
    const tampered: readonly (readonly [string, (fields: Fields) => Fields])[] = [
      ['threeDSServerTransID', changedCRes('threeDSServerTransID')],
      ['acsTransID', changedCRes('acsTransID')],
      ['messageType', changedCRes('messageType')],
      ['messageVersion', changedCRes('messageVersion')],
      ['challengeCompletionInd', changedCRes('challengeCompletionInd')],
      ['transStatus', changedCRes('transStatus')],
      ['the mark', changedCRes('messageExtension')],
    ]

    test.for(tampered)('declines the payment: %s', async ([, tamper]) => {
      const { begin, shown, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('challenge'))
      const { address, fields } = await challengeResult(gateway, redirectTo, { code: 'hint' })
      await visitor(gateway).post(address, tamper(fields))
      expect(await shown(ids)).toEqual(FAILED)
    })

    test('declines the payment of a customer who failed and says otherwise', async () => {
      const { begin, shown, gateway } = deskOn()
      for (const typed of [CANCEL, { code: 'wrong' }]) {
        const { ids, redirectTo } = await begin(redirected('challenge'))
        const { address, fields } = await challengeResult(gateway, redirectTo, typed)
        const told = decoded(fields['cres'])
        expect(told).toMatchObject({ transStatus: 'N' })
        await visitor(gateway).post(address, { ...fields, cres: base64({ ...told, transStatus: 'Y' }) })
        expect(await shown(ids)).toEqual(FAILED)
      }
    })

    test('by its session data or its MD is the answer to something else, and changes nothing', async () => {
      const { begin, shown, gateway } = deskOn()
      for (const [card, name] of [
        ['challenge', 'threeDSSessionData'],
        ['pareq', 'MD'],
      ] as const) {
        const { ids, redirectTo } = await begin(redirected(card))
        const { address, fields } = await challengeResult(gateway, redirectTo, { code: 'hint' })
        const foreign = {
          ...fields,
          [name]: `${fields[name]}A`,
          ...(card === 'challenge' && { cres: base64({ acsTransID: 'x' }) }),
        }
        await visitor(gateway).post(address, foreign)
        expect(await shown(ids)).toEqual(VALIDATING)
        await visitor(gateway).post(address, fields)
        expect(await shown(ids)).toEqual(SOLD)
      }
    })

    test('[F-A6] is found and taken though its session data or its MD came back changed', async () => {
      const { begin, shown, gateway } = deskOn()
      for (const card of ['challenge', 'pareq'] as const) {
        const [name, message] =
          card === 'challenge' ? (['threeDSSessionData', 'cres'] as const) : (['MD', 'PaRes'] as const)
        for (const change of [
          () => '',
          () => 'null',
          (sent: string) => sent.toUpperCase(),
          (sent: string) => ` ${sent}==\r\n`,
          (sent: string) => sent.slice(0, 20),
        ]) {
          const { ids, redirectTo } = await begin(redirected(card))
          const { address, fields } = await challengeResult(gateway, redirectTo, { code: 'hint' })
          const { [message]: result = '', [name]: sent = '', ...rest } = fields
          const wrapped = result.replace(/.{76}/g, '$&\r\n')
          await visitor(gateway).post(address, {
            ...rest,
            [message.toUpperCase()]: wrapped,
            [name.toLowerCase()]: change(sent),
          })
          expect(await shown(ids)).toEqual(SOLD)
        }
      }
    })

    test('of another order declines', async () => {
      const { begin, shown, gateway } = deskOn()
      const other = await begin(redirected('challenge'))
      const { fields } = await challengeResult(gateway, other.redirectTo, { code: 'hint' })
      const { ids, redirectTo } = await begin(redirected('challenge'))
      const mine = await challengeResult(gateway, redirectTo, CANCEL)
      await visitor(gateway).post(mine.address, { ...mine.fields, cres: fields['cres'] ?? '' })
      expect(await shown(ids)).toEqual(FAILED)
      expect(await shown(other.ids)).toEqual(VALIDATING)
    })
  })

  describe('a result that comes again', () => {
    test.for(['challenge', 'pareq'] as const)(
      'changes nothing and leads to the page of the order: %s',
      async (card) => {
        const { begin, shown, gateway, heard } = deskOn()
        const { ids, redirectTo } = await begin(redirected(card))
        const { address, fields } = await challengeResult(gateway, redirectTo, CANCEL)
        const approving = await challengeResult(gateway, redirectTo, { code: 'hint' })
        const { post, follow } = visitor(gateway)
        await post(address, fields)
        for (const again of [fields, approving.fields]) {
          const left = out(await follow(await post(address, again)))
          expect(left.fields['status']).toBe('declined')
        }
        expect(await shown(ids)).toEqual(FAILED)
        expect(heard).toEqual([])
      },
    )

    test('twice at once counts once', async () => {
      const { begin, shown, gateway, heard } = deskOn()
      const { ids, redirectTo } = await begin(redirected('challenge'))
      const { address, fields } = await challengeResult(gateway, redirectTo, { code: 'hint' })
      const { post } = visitor(gateway)
      await Promise.all([post(address, fields), post(address, fields)])
      expect(await shown(ids)).toEqual(SOLD)
      expect(heard).toEqual([])
    })

    test('an upload of it is refused, and the other way round it is harmless', async () => {
      const { begin, shown, upload, gateway } = deskOn()
      const first = await begin(redirected('challenge'))
      const brought = await challengeResult(gateway, first.redirectTo, { code: 'hint' })
      await visitor(gateway).post(brought.address, brought.fields)
      const cRes = brought.fields['cres'] ?? ''
      expect((await upload('cres', first.ids, { cRes }))['error-message']).toContain('awaited-step')
      const second = await begin(redirected('challenge'))
      const { address, fields } = await challengeResult(gateway, second.redirectTo, { code: 'hint' })
      await upload('cres', second.ids, { cRes: fields['cres'] ?? '' })
      await visitor(gateway).post(address, fields)
      expect(await shown(second.ids)).toEqual(SOLD)
    })
  })

  describe('a customer who does not come back', () => {
    test.for(['challenge', 'method', 'pareq'] as const)('loses the payment after half an hour: %s', async (card) => {
      const { begin, shown, told, clock, calls, gateway } = deskOn()
      const callback = { server_callback_url: 'https://shop.example.com/callback' }
      const { ids, redirectTo } = await begin({ ...redirected(card), ...callback })
      await clock.advance(30 * 60_000 - 1)
      expect(await shown(ids)).toEqual(VALIDATING)
      await clock.advance(1)
      expect(await told(ids)).toMatchObject({
        status: 'declined',
        'order-stage': 'sale_failed',
        'error-code': '12',
        'error-message': 'The customer did not finish the authentication.',
      })
      expect(calls).toHaveLength(1)
      expect(out(await visitor(gateway).go(redirectTo)).fields['status']).toBe('declined')
    })

    test('may take their time at the challenge: the step stays what it is', async () => {
      const { begin, shown, clock, gateway } = deskOn()
      for (const card of ['method', 'noMethodUrl'] as const) {
        const { ids, redirectTo } = await begin(redirected(card))
        const { go, answer } = visitor(gateway)
        const asked = await go(redirectTo)
        await clock.advance('25m')
        expect(out(await answer(asked, { code: 'hint' })).fields['status']).toBe('approved')
        expect(await shown(ids)).toEqual(SOLD)
      }
    })

    test('finds the page of the order if the answer comes too late', async () => {
      const { begin, shown, clock, gateway, heard } = deskOn()
      for (const card of FLOWS) {
        const { ids, redirectTo } = await begin(redirected(card))
        const { go, answer, follow, post } = visitor(gateway)
        const asked = await go(redirectTo)
        const late = await challengeResult(gateway, redirectTo, { code: 'hint' })
        await clock.advance('31m')
        expect(out(await answer(asked, { code: 'hint' })).fields['status']).toBe('declined')
        expect(out(await follow(await post(late.address, late.fields))).fields['status']).toBe('declined')
        expect(await shown(ids)).toEqual(FAILED)
        expect(heard).toEqual([])
      }
    })

    test('has half an hour for all of it, even if the process changes meanwhile', async () => {
      const { begin, clock, gateway } = deskOn()
      const { ids, redirectTo } = await begin(redirected('method'))
      await clock.advance('20m')
      await visitor(gateway).go(redirectTo)
      const next = threeDsDesk({ store, clock })
      await next.recovered()
      await clock.advance('9m')
      expect(await next.shown(ids)).toEqual(VALIDATING)
      await clock.advance('1m')
      expect(await next.shown(ids)).toEqual(FAILED)
    })
  })
})

test.for(FLOWS)('a payment in a file goes on when the process begins anew between all its steps: %s', async (card) => {
  const file = sqliteFile()
  onTestFinished(file.remove)
  const settings = { publicUrl: BASE_URL, merchants: merchants(), vaultKeys: VAULT_KEYS }
  const inProcess = async <Result>(act: (gateway: Gateway) => Promise<Result>): Promise<Result> => {
    const gateway = createGateway({ ...settings, acquirer: simulator(), store: sqliteStore({ file: file.file }) })
    try {
      return await act(gateway)
    } finally {
      await gateway.close()
    }
  }
  const { ids, redirectTo } = await inProcess(async (gateway) => {
    const shop = at(gateway)
    const made = await shop.sale(redirected(card))
    return { ids: made, redirectTo: (await shop.told(made))['redirect-to'] ?? '' }
  })
  const look = () => inProcess((gateway) => visitor(gateway).open(redirectTo))
  let seen = await look()
  for (let steps = 0; seen.forms[0]?.action !== RETURN_URL; steps++) {
    expect(steps).toBeLessThan(10)
    const [form] = seen.forms
    const typed = form?.after === undefined ? { code: 'hint' } : {}
    seen = form === undefined ? await look() : await inProcess((gateway) => visitor(gateway).submit(form, typed))
  }
  expect(await inProcess((gateway) => at(gateway).shown(ids))).toEqual(SOLD)
})

describe('the pages', () => {
  test.for(['/3ds/redirect', '/3ds/method', '/3ds/challenge', '/3ds/pares'])(
    'of an order that is not are not: %s',
    async (path) => {
      const { gateway } = threeDsDesk()
      const { open, post } = visitor(gateway)
      const address = `${BASE_URL}${path}/no-such-token`
      const seen = path === '/3ds/redirect' ? await open(address) : await post(address, { cres: 'e30' })
      expect(seen.reply.status).toBe(404)
    },
  )

  test.for(['method', 'challenge', 'pares'])(
    'show where the order is if the address of a result is opened without one: %s',
    async (path) => {
      const { begin, gateway, shown } = threeDsDesk()
      const { ids, redirectTo } = await begin(redirected('challenge'))
      const { open } = visitor(gateway)
      expect((await open(redirectTo.replace('redirect', path))).forms).toEqual((await open(redirectTo)).forms)
      expect(await shown(ids)).toEqual(VALIDATING)
    },
  )

  test('refuse what is not a form, and change nothing', async () => {
    const { begin, gateway, shown } = threeDsDesk()
    const { ids, redirectTo } = await begin(redirected('challenge'))
    const url = new URL(redirectTo.replace('redirect', 'challenge')).pathname
    for (const [type, status] of [
      ['text/plain', 400],
      ['application/x-www-form-urlencoded', 303],
    ] as const) {
      for (const body of ['cres=%zz', 'cres=a&cres=b', 'cres=']) {
        const headers = { 'content-type': type }
        expect((await gateway.handle({ method: 'POST', url, headers, body })).status).toBe(status)
      }
    }
    expect(await shown(ids)).toEqual(VALIDATING)
  })

  test('are in the language of the browser', async () => {
    const { begin, gateway } = threeDsDesk()
    const { redirectTo } = await begin(redirected('challenge'))
    const { open, go } = visitor(gateway, { language: 'de-AT,en;q=0.5' })
    expect((await open(redirectTo)).text).toContain('Bei Ihrer Bank bestätigen')
    expect(page(await go(redirectTo)).text).toContain('Zahlung bestätigen')
  })

  test('lead the customer to the issuer, and to whatever host that redirects to', async () => {
    for (const card of ['challenge', 'pareq'] as const) {
      const { begin, gateway } = threeDsDesk()
      const { redirectTo } = await begin(redirected(card))
      expect(policyOf(await visitor(gateway).open(redirectTo))).toMatchObject({
        'form-action': 'https:',
        'frame-ancestors': "'none'",
      })
    }
  })

  test.for(FORMS.flatMap(([path, end]) => ISSUERS.map((issuer) => [path, issuer[0], issuer, end] as const)))(
    '[S1-14] [G10-02] of %s go on with 3DS: %s',
    async ([path, card, [, completion, asks], end]) => {
      const { at, ids, answer, shown, told, store } = await filledIn(path, card)
      expect('to' in at ? undefined : /\/acs\/(\w+)\//.exec(at.address)?.[1]).toBe(asks)
      const left = out('to' in at ? at : await answer(at, { code: 'hint' }))
      expect(left.to).toBe(FORM.redirect_url)
      expect(left.fields).toMatchObject({ status: 'approved', ...ids, control: returnControl('approved', ids) })
      expect(await shown(ids)).toEqual(end)
      expect((await told(ids))['verified-3d-status']).toBe('AUTHENTICATED')
      expect((await store.orderById(ids.orderid))?.operations[0]?.outcome.methodCompletion).toBe(completion)
    },
  )

  test.for(FORMS)('[S1-14] of %s lead back when the customer cancels', async ([path]) => {
    const { at, ids, answer, told } = await filledIn(path, 'challenge')
    expect(out(await answer(at, CANCEL)).fields['status']).toBe('declined')
    expect(await told(ids)).toMatchObject({ status: 'declined', 'error-code': '122' })
  })

  test('of a form give the customer half an hour of its own, from when the form was sent', async () => {
    const { at, clock, shown, ids, answer } = await filledIn('/api/v2/sale-form', 'challenge', 29)
    await clock.advance('29m')
    expect((await shown(ids))[0]).toBe('processing')
    expect(out(await answer(page(at), { code: 'hint' })).fields['status']).toBe('approved')
  })
})

/** A form that is filled in after some minutes, up to the issuer's page, or back at the shop if the issuer asks nothing. */
async function filledIn(path: string, card: Card, minutes = 0) {
  const made = counter()
  const { address, ids } = await made.openForm(path)
  await made.clock.advance(minutes * 60_000)
  const { go, answer, submit, follow } = visitor(made.gateway)
  const [form] = page(await go(address)).forms
  if (form === undefined) throw new Error('There is no form')
  const at = await follow(await submit(form, { ...TYPED, credit_card_number: CARDS[card], cvv2: '321' }))
  return { ...made, at, ids, answer }
}

/** Answers the issuer's page: the address and the fields of the post that brings the result. */
async function challengeResult(gateway: Parameters<typeof visitor>[0], redirectTo: string, typed: Fields) {
  const { go, submit } = visitor(gateway)
  const [form] = page(await go(redirectTo)).forms
  let [back] = form === undefined ? [] : (await submit(form, typed)).forms
  while (back?.action === form?.action) [back] = back === undefined ? [] : (await submit(back, typed)).forms
  if (back === undefined) throw new Error('The issuer does not lead back')
  return { address: back.action, fields: back.fields }
}

/** Gaps part 6: SHA-1 over status, orderid, client_orderid and the key. */
function returnControl(status: string, { orderid, client_orderid }: Ids): string {
  return createHash('sha1').update(`${status}${orderid}${client_orderid}${SHOP.controlKey}`).digest('hex')
}

function policyOf({ reply }: SeenPage): Fields {
  const policy = reply.headers['content-security-policy'] ?? ''
  return Object.fromEntries(
    policy.split('; ').map((each) => [each.split(' ')[0] ?? '', each.split(' ').slice(1).join(' ')]),
  )
}

function changedCRes(name: string): (fields: Fields) => Fields {
  return (fields) => ({ ...fields, cres: base64({ ...decoded(fields['cres']), [name]: 'A' }) })
}
