import { describe, expect, test } from 'vitest'
import { type Ids, MONEY } from '../support/desk.ts'
import { out, type SeenPage, visitor } from '../support/page-visitor.ts'
import { BASE_URL, CARD, type Fields, fieldsOf, PAYER, SALE } from '../support/signed-requests.ts'
import {
  base64,
  decoded,
  FAILED,
  RETURN_URL,
  redirected,
  SOLD,
  serverToServer,
  threeDsDesk,
} from '../support/three-ds.ts'

const METHOD_NOTIFICATION = 'https://shop.example.com/3ds/method'
const TERM_URL = 'https://shop.example.com/3ds/pares'
const UUID = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
const BASE64URL = expect.stringMatching(/^[\w-]+$/)

type Desk = ReturnType<typeof threeDsDesk>

/** The 3DS fields of a status. */
function stepOf(told: Fields): Fields {
  return Object.fromEntries(Object.entries(told).filter(([name]) => /^(?:tds|html|redirect|verified)/.test(name)))
}

/** Takes the steps that the status shows on the merchant's page, and uploads their results, until it shows none. */
async function takeThrough({ told, upload, gateway }: Desk, ids: Ids, typed: Fields): Promise<string[]> {
  const done: string[] = []
  const { post, follow, answer } = visitor(gateway)
  /** The issuer asks again after a wrong code. */
  const answered = async (asked: SeenPage) => {
    let at = await answer(asked, typed)
    while ('text' in at) at = await answer(at, typed)
    return at
  }
  const steps: Readonly<Record<string, (step: Fields) => Promise<unknown>>> = {
    MethodUrlFrame: async (step) => upload('method-url', ids, { threeDSCompInd: await methodFrame(step) }),
    CReqForm: async (step) => {
      const form = {
        creq: step['tds-creq-form-creq'] ?? '',
        threeDSSessionData: step['tds-creq-form-three-ds-session-data'] ?? '',
      }
      const { to, fields } = await answered(await post(step['tds-creq-form-acs-url'] ?? '', form))
      expect([to, fields['threeDSSessionData']]).toEqual([RETURN_URL, form.threeDSSessionData])
      return upload('cres', ids, { cRes: fields['cres'] ?? '' })
    },
    PaReqForm: async (step) => {
      const form = { PaReq: step['tds-pareq-form-pareq'] ?? '', MD: step['tds-pareq-form-md'] ?? '', TermUrl: TERM_URL }
      const { to, fields } = await answered(await post(step['tds-pareq-form-acs-url'] ?? '', form))
      expect([to, fields['MD']]).toEqual([TERM_URL, form.MD])
      return upload('pares', ids, { paRes: fields['PaRes'] ?? '', md: fields['MD'] ?? '' })
    },
  }

  async function methodFrame(step: Fields): Promise<string> {
    const methodUrl = step['tds-method-url-frame-3ds-method-url']
    if (methodUrl === undefined) return 'U'
    const threeDSServerTransID = step['tds-method-url-frame-3ds-server-trans-id']
    const data = { threeDSServerTransID, threeDSMethodNotificationURL: METHOD_NOTIFICATION }
    const { to, fields } = out(await follow(await post(methodUrl, { threeDSMethodData: base64(data) })))
    expect([to, decoded(fields['threeDSMethodData'])]).toEqual([METHOD_NOTIFICATION, { threeDSServerTransID }])
    return 'Y'
  }

  for (let step = stepOf(await told(ids)); step['tds-status'] !== undefined; step = stepOf(await told(ids))) {
    done.push(step['tds-status'])
    await steps[step['tds-status']]?.(step)
  }
  return done
}

/** The cards for which the issuer asks for a code, with their steps. */
const WITH_CODE = [
  ['challenge', ['CReqForm']],
  ['method', ['MethodUrlFrame', 'CReqForm']],
  ['noMethodUrl', ['MethodUrlFrame', 'CReqForm']],
  ['pareq', ['PaReqForm']],
] as const

describe('a merchant who takes the customer through 3DS', () => {
  test.for(WITH_CODE)('[S4-32] [G8-01] [G8-02] [G8-03] sells when the code is right: %s', async ([card, steps]) => {
    const made = threeDsDesk()
    const ids = await made.sale(serverToServer(card))
    expect(await takeThrough(made, ids, { code: 'hint' })).toEqual(steps)
    expect(await made.shown(ids)).toEqual(SOLD)
    expect(stepOf(await made.told(ids))).toEqual({ 'verified-3d-status': 'AUTHENTICATED' })
  })

  test.for([
    ['challenge', 'tds-creq-form-acs-url'],
    ['pareq', 'tds-pareq-form-acs-url'],
    ['method', 'tds-method-url-frame-3ds-method-url'],
  ] as const)('[G8-01] does so alone: no page of the gateway shows the step: %s', async ([card, address]) => {
    const { sale, told, gateway } = threeDsDesk()
    const step = await told(await sale(serverToServer(card)))
    const token = step[address]?.split('/').at(-1)
    const { reply, forms } = await visitor(gateway).open(`${BASE_URL}/3ds/redirect/${token}`)
    expect([reply.status, reply.headers['refresh'], forms]).toEqual([200, '2', []])
  })

  test('[G8-02] sells after the method frame alone', async () => {
    const made = threeDsDesk()
    const ids = await made.sale(serverToServer('frictionless'))
    expect(await takeThrough(made, ids, {})).toEqual(['MethodUrlFrame'])
    expect(await made.shown(ids)).toEqual(SOLD)
  })

  test.for([...WITH_CODE, ['frictionless', ['MethodUrlFrame']]] as const)(
    '[S1-05] [S4-36] [G8-01] [G8-02] [G8-03] verifies a card and charges nothing: %s',
    async ([card, steps]) => {
      const made = threeDsDesk()
      const ids = await made.verification(serverToServer(card))
      expect(await takeThrough(made, ids, { code: 'hint' })).toEqual(steps)
      expect(await made.told(ids)).toMatchObject({
        status: 'approved',
        'order-stage': 'account_verification_approved',
        'verified-3d-status': 'AUTHENTICATED',
      })
      expect(await made.store.postingsOf(ids.orderid)).toEqual([])
    },
  )

  test.for(WITH_CODE)('[S4-36] does not verify a card whose customer cancels: %s', async ([card, steps]) => {
    const made = threeDsDesk()
    const ids = await made.verification(serverToServer(card))
    expect(await takeThrough(made, ids, { cancel: '1' })).toEqual(steps)
    expect(await made.told(ids)).toMatchObject({
      status: 'declined',
      'order-stage': 'account_verification_declined',
      'error-code': '122',
    })
  })

  test.for(['challenge', 'method', 'noMethodUrl', 'pareq'] as const)(
    'does not sell when the customer cancels, or does not know the code: %s',
    async (card) => {
      const made = threeDsDesk()
      for (const typed of [{ cancel: '1' }, { code: 'wrong' }]) {
        const ids = await made.sale(serverToServer(card))
        await takeThrough(made, ids, typed)
        expect(await made.shown(ids)).toEqual(FAILED)
        expect(stepOf(await made.told(ids))).toEqual({})
      }
    },
  )

  test('[S2-11] a method step goes on alike after Y, N or U, and its result is stored', async () => {
    const { sale, upload, told, store } = threeDsDesk()
    for (const threeDSCompInd of ['Y', 'N', 'U']) {
      const ids = await sale(serverToServer('method'))
      await upload('method-url', ids, { threeDSCompInd })
      expect((await told(ids))['tds-status']).toBe('CReqForm')
      const order = await store.orderById(ids.orderid)
      expect(order?.operations[0]?.outcome.methodCompletion).toBe(threeDSCompInd)
    }
  })

  test('loses a payment whose customer does not come back, and an upload is too late', async () => {
    for (const [card, what, fields] of [
      ['challenge', 'cres', { cRes: 'e30' }],
      ['method', 'method-url', { threeDSCompInd: 'Y' }],
      ['pareq', 'pares', { paRes: 'e30' }],
    ] as const) {
      const { sale, shown, upload, clock } = threeDsDesk()
      const ids = await sale(serverToServer(card))
      await clock.advance('30m')
      expect(await shown(ids)).toEqual(FAILED)
      expect((await upload(what, ids, fields))['error-message']).toContain('awaited-step')
    }
  })
})

describe('status, while it waits for a 3DS step', () => {
  test('[G5-08] [G13-01] names the step and what it needs', async () => {
    const { sale, told, store } = threeDsDesk()
    const tokenOf = async ({ orderid }: Ids) => (await store.orderById(orderid))?.details.pages?.token
    const method = await sale(serverToServer('method'))
    expect(stepOf(await told(method))).toEqual({
      'tds-status': 'MethodUrlFrame',
      'tds-method-url-frame-3ds-method-url': `${BASE_URL}/acs/method/${await tokenOf(method)}`,
      'tds-method-url-frame-3ds-server-trans-id': UUID,
    })
    expect(stepOf(await told(await sale(serverToServer('noMethodUrl'))))).toEqual({
      'tds-status': 'MethodUrlFrame',
      'tds-method-url-frame-3ds-server-trans-id': UUID,
    })
    const challenge = await sale(serverToServer('challenge'))
    expect(stepOf(await told(challenge))).toEqual({
      'tds-status': 'CReqForm',
      'tds-creq-form-acs-url': `${BASE_URL}/acs/challenge/${await tokenOf(challenge)}`,
      'tds-creq-form-creq': BASE64URL,
      'tds-creq-form-three-ds-session-data': BASE64URL,
    })
    const pareq = await sale(serverToServer('pareq'))
    expect(stepOf(await told(pareq))).toEqual({
      'tds-status': 'PaReqForm',
      'tds-pareq-form-acs-url': `${BASE_URL}/acs/pareq/${await tokenOf(pareq)}`,
      'tds-pareq-form-pareq': expect.stringMatching(/^[\w+/]+=*$/),
      'tds-pareq-form-md': BASE64URL,
    })
  })

  test.for(['challenge', 'method', 'frictionless', 'noMethodUrl', 'pareq'] as const)(
    '[G5-08] [G8-04] [G13-12] has the address where the gateway takes the customer through 3DS, and no step: %s',
    async (card) => {
      const { sale, told } = threeDsDesk()
      const step = stepOf(await told(await sale(redirected(card))))
      expect(Object.keys(step).toSorted()).toEqual(['html', 'redirect-to'])
      expect(step['redirect-to']).toMatch(/^https:\/\/gate\.example\.com\/paynet\/3ds\/redirect\/[\w-]{22}$/)
      expect(step['html']).toMatch(/^[\w.!~*'()%-]+$/)
      const page = decodeURIComponent(step['html'] ?? '')
      expect(page).toContain(`<form action="${step['redirect-to']}" method="get"><button>Continue</button></form>`)
      expect(page).toContain('document.forms[0].submit()')
    },
  )

  test('shows no step before and after, nor for a payment without 3DS', async () => {
    const { sale, told, gateway, request } = threeDsDesk()
    expect(stepOf(await told(await sale({ ...redirected('challenge'), cvv2: '123' })))).toEqual({})
    const lost = await sale({ ...redirected('challenge'), cvv2: '116' })
    expect(stepOf(await told(lost))).toEqual({})
    const opened = gateway.handle(
      request('/api/v2/sale', { ...SALE, client_orderid: 'own', ...redirected('challenge') }),
    )
    await opened
    await gateway.settled()
    expect(stepOf(await told({ client_orderid: 'own' }))).toHaveProperty('redirect-to')
  })

  test('[G13-12] the acknowledgement has the address already, and a repeat the very same', async () => {
    const { gateway, request, told } = threeDsDesk()
    const asked = request('/api/v2/sale', { ...SALE, ...redirected('challenge') })
    const first = fieldsOf(await gateway.handle(asked))
    expect(first['redirect-url']).toMatch(/^https:\/\/gate\.example\.com\/paynet\/3ds\/redirect\/[\w-]{22}$/)
    await gateway.settled()
    expect(fieldsOf(await gateway.handle(asked))).toEqual(first)
    expect((await told({ client_orderid: 'inv-1' }))['redirect-to']).toBe(first['redirect-url'])
  })

  test.for<readonly [path: string, fields: (cardRefId: string) => Fields]>([
    ['/api/v2/preauth', () => ({ ...SALE, ...redirected('challenge') })],
    ['/api/v2/account-verification', () => ({ ...PAYER, ...CARD, ...redirected('challenge') })],
    ['/api/v2/make-rebill', (cardrefid) => ({ ...MONEY, cardrefid, cvv2: '321' })],
  ])('[G13-12] so does that of %s', async ([path, fields]) => {
    const { ask, told, sale, cardRef } = threeDsDesk()
    const card = await cardRef(await sale())
    const reply = await ask(path, { ...fields(card), client_orderid: 'asks' })
    const { 'redirect-to': address, status } = await told({ client_orderid: 'asks' })
    expect([status, reply['redirect-url']]).toEqual(['processing', address])
    expect(address).toContain('/3ds/redirect/')
  })

  test.for([
    ['whose merchant takes the customer through it', serverToServer('challenge')],
    ['without 3DS', { ...redirected('challenge'), cvv2: '123' }],
  ] as const)('the acknowledgement of a payment %s has none', async ([, fields]) => {
    const { gateway, request } = threeDsDesk()
    const reply = fieldsOf(await gateway.handle(request('/api/v2/sale', { ...SALE, ...fields })))
    expect(reply).not.toHaveProperty('redirect-url')
  })

  test('a preauth and a verification go the same way', async () => {
    const { preauth, verification, told, gateway } = threeDsDesk()
    const { go, answer } = visitor(gateway)
    for (const ids of [await preauth(redirected('method')), await verification(redirected('method'))]) {
      const { 'redirect-to': address = '' } = await told(ids)
      await answer(await go(address), { code: 'hint' })
      expect(await told(ids)).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' })
    }
  })

  test.for([
    ['approved', { code: 'hint' }, 'https://shop.example.com/sent', { 'verified-3d-status': 'AUTHENTICATED' }],
    ['declined', { cancel: '1' }, 'https://shop.example.com/kept', { 'error-code': '122' }],
  ] as const)(
    '[S2-17] a transfer whose sender has to authenticate goes by redirect, and is %s',
    async ([status, typed, expected, shown]) => {
      const { askOAuth, told, gateway } = threeDsDesk()
      const sender = { ...CARD, ...redirected('challenge') }
      const money = { amount: '34.00', currency: 'EUR', client_orderid: 'sent', order_desc: 'Rent' }
      const receiver = { 'destination-card-no': '4485940822379130' }
      const own = {
        redirect_success_url: 'https://shop.example.com/sent',
        redirect_fail_url: 'https://shop.example.com/kept',
      }
      const reply = await askOAuth('/api/v4/transfer', { ...money, ...sender, ...receiver, ...own })
      const { go, answer } = visitor(gateway)
      const left = out(await answer(await go(reply['redirect-url'] ?? ''), typed))
      expect(left).toMatchObject({ to: expected, fields: { status, client_orderid: 'sent', type: 'transfer' } })
      expect(await told({ client_orderid: 'sent' })).toMatchObject({ status, ...shown })
    },
  )

  test('a customer whose browser is said to be absent goes by redirect', async () => {
    const { sale, told } = threeDsDesk()
    const ids = await sale({ ...redirected('challenge'), customer_browser_info: 'false' })
    expect(stepOf(await told(ids))).toHaveProperty('redirect-to')
  })
})
