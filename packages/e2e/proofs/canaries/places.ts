import { catalogue, operationKeys, recurringRows } from '@tallystick/core'
import { buildInput, type requestFixture } from '@tallystick/testing'
import { NOW, type World } from './world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Where secrets may come in. */
export const PLACES: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'the fields of an operation': async (world) => {
    const key = world.random.pick(operationKeys)
    const fields = Object.keys(catalogue[key].request.fields)
    const has = (name: string) => fields.includes(name)
    const changes = {
      ...(has('clientOrderId') ? { clientOrderId: world.id() } : {}),
      ...(has('cardNumber') ? { cardNumber: world.card() } : {}),
      ...(has('destinationCardNumber') ? { destinationCardNumber: world.card() } : {}),
      ...(has('cardPrintedName') ? { cardPrintedName: 'J. SMITH', expireMonth: '12', expireYear: '2031' } : {}),
      ...(has('cvv2') ? { cvv2: world.cvv() } : {}),
      ...(key === 'createRecurringPayments' ? { payload: rowsOf(world) } : {}),
    }
    await world.ask(await world.signed(key, changes))
  },
  'a text of a signed sale': async (world) => {
    const name = world.random.pick(['orderDesc', 'email', 'merchantData', 'address1', 'city', 'firstName'] as const)
    const text = name === 'email' ? `${world.card()}@example.com` : world.quoting().slice(0, 120)
    await sell(world, { [name]: text, cardNumber: world.card(), cvv2: world.cvv() })
  },
  'a wrong field': async (world) => {
    const request = await world.signed('sale', { clientOrderId: world.id() })
    const fields = new URLSearchParams(request.body)
    const name = world.random.pick([...fields.keys(), 'pan', 'note', 'orderid', 'login', 'card-no'])
    if (world.random.below(2) === 0) fields.set(name, world.quoting())
    else fields.append(world.quoting(), name)
    await world.ask({ ...request, body: fields.toString() })
  },
  'a name that means a CVV or a card': async (world) => {
    const request = await world.signed('status', { clientOrderId: world.id() })
    const code = `${world.random.pick(['cvv', 'CVC', 'card_security_code', 'c%76v2', 'cvv2'])}=${world.cvv()}`
    await world.ask({
      ...request,
      body: `${request.body}&${code}&${world.random.pick(['pan', 'card_number'])}=${world.card()}`,
    })
  },
  'a body that is no form': async (world) => {
    const request = await world.signed('sale', { clientOrderId: world.id() })
    const headers = { ...request.headers, ...world.random.pick([{}, { 'content-type': 'application/json' }]) }
    await world.ask({
      ...request,
      headers,
      body: JSON.stringify({ card: world.card(), cvv2: world.cvv(), text: world.quoting() }),
    })
  },
  'a header': async (world) => {
    const request = await world.signed('payout', { clientOrderId: world.id(), cardNumber: world.card() })
    const text = world.quoting()
    const name = world.random.pick(['accept', 'content-type', 'user-agent', 'authorization', 'x-card'])
    const shapes = [text, `Basic ${world.key()}`, `Bearer ${world.key()}`, `OAuth oauth_consumer_key="${world.key()}"`]
    await world.ask({
      ...request,
      headers: { ...request.headers, [name]: name === 'authorization' ? world.random.pick(shapes) : text },
    })
  },
  'a path': async (world) => {
    const request = await world.signed('sale', { clientOrderId: world.id() })
    const text = encodeURIComponent(world.quoting())
    const plain = world.card()
    const url = world.random.pick([
      `/paynet/api/v2/sale/${plain}`,
      `/paynet/api/v2/${text}/253`,
      `/${plain}`,
      `/paynet/form/${text}`,
    ])
    await world.ask({
      ...request,
      url: world.random.pick([url, `${request.url}?pan=${text}`, `${url}?key=${world.key()}`]),
    })
  },
  "a shop's answer": async (world) => {
    const text = world.quoting()
    world.shopAnswer = async () => {
      throw Object.assign(new Error(text), { code: world.random.pick(['ECONNREFUSED', undefined]) })
    }
    await sell(world, { serverCallbackUrl: 'https://shop.example.com/callback' })
    await world.gateway.settled()
    world.shopAnswer = async () => ({ status: 200 })
  },
  "a bank's words": async (world) => {
    const text = world.quoting()
    const how = world.random.below(3)
    if (how === 0) world.decision = { status: 'declined', errorCode: '5', errorMessage: text }
    if (how === 1) world.refusal = text
    if (how === 2) world.failure = text
    await sell(world, { cardNumber: world.card() })
  },
  'a message of 3-D Secure': async (world) => {
    const ids = world.orders.at(-1) ?? { clientOrderId: 'a1z', orderId: '900000000000001' }
    const message = { messageType: 'CRes', transStatus: 'Y', acctNumber: world.card(), note: world.quoting() }
    const cRes = Buffer.from(JSON.stringify(message)).toString('base64url')
    await world.ask(await world.signed('uploadCresResult', { ...ids, cRes }))
    const page = world.random.pick(['challenge', 'pares', 'method'])
    const body = new URLSearchParams({
      cres: cRes,
      PaRes: cRes,
      MD: world.card(),
      threeDSSessionData: world.key(),
    }).toString()
    await world.ask({ method: 'POST', url: `/paynet/3ds/${page}/token-of-a-page`, headers: FORM, body })
    // One that waits for its customer.
    const { orderId } = await sell(world, {
      ...buildInput('sale'),
      clientOrderId: world.id(),
      cardNumber: '4444444400000010',
      cvv2: '321',
    })
    await world.gateway.settled()
    await world.ask(
      await world.signed('uploadCresResult', {
        clientOrderId: world.orders.at(-1)?.clientOrderId ?? '',
        orderId,
        cRes,
      }),
    )
  },
  "a customer's page": async (world) => {
    const reply = await world.ask(await world.signed('saleForm', { clientOrderId: world.id() }))
    const page = /"redirect-url": ?"[^"]*?(\/paynet\/form\/[^"]+)"/.exec(reply.body)?.[1]
    if (page === undefined) throw new Error(`no page: ${reply.body}`)
    const card = {
      card_printed_name: world.quoting(),
      credit_card_number: world.card(),
      cvv2: world.cvv(),
      expiry: '12/31',
    }
    const body = new URLSearchParams({ ...card, [world.quoting()]: 'x' }).toString()
    await world.ask({ method: 'POST', url: page, headers: FORM, body })
    await world.ask({ method: 'GET', url: `${page}?pan=${world.card()}`, headers: {}, body: '' })
  },
  "a shop's event": async (world) => {
    const at = NOW
    const ids = { clientOrderId: world.quoting(), orderId: '900000000000001' }
    const event = world.random.pick([
      {
        type: 'call',
        operation: 'SALE',
        ...ids,
        endpointId: '253',
        verdict: 'unknown',
        code: 'X',
        seen: world.quoting(),
        milliseconds: 1,
      },
      { type: 'journal', notice: world.quoting(), intentIds: [world.quoting()] },
      {
        type: 'handler',
        what: 'failed',
        key: world.quoting(),
        kind: 'outcome',
        ...ids,
        status: 'approved',
        error: world.quoting(),
      },
      {
        type: 'of a later release',
        [world.quoting()]: { deep: [world.quoting()], cvv2: world.cvv(), cardNumber: world.card() },
      },
    ])
    await world.sandbox('POST', '/recording', `${JSON.stringify({ half: 'merchant', at, ...event })}\n`)
  },
  'a request to the sandbox': async (world) => {
    const text = world.quoting()
    const encoded = encodeURIComponent(text)
    const acts: readonly (readonly [string, string, unknown?])[] = [
      ['POST', '/faults', { fault: text, operation: 'sale' }],
      ['POST', '/faults', { fault: 'callback-twice', clientOrderId: text }],
      ['POST', '/faults', { fault: 'callback-twice', [text]: text }],
      ['POST', '/clock/advance', { duration: text }],
      ['POST', '/orders', { clientOrderId: text, status: text }],
      ['POST', '/orders', { login: text }],
      [
        'POST',
        `/orders/${world.orders.at(-1)?.orderId ?? '900000000000001'}/chargeback`,
        { caseId: text, amount: '0.01' },
      ],
      ['POST', '/callbacks/resend', { orderId: text }],
      ['POST', '/callbacks/try', { callbackId: text, as: 'forged' }],
      [
        'POST',
        '/requests',
        {
          operation: 'sale',
          fields: { client_orderid: world.id(), order_desc: text, credit_card_number: world.card(), cvv2: world.cvv() },
        },
      ],
      ['POST', '/requests', { operation: text, endpoint: text, fields: { [text]: text } }],
      [
        'POST',
        '/decisions',
        { intentId: text, intentVersion: 1, decision: text, by: text.slice(0, 80), because: text.slice(0, 300) },
      ],
      ['POST', '/setup/key', { login: text }],
      ['POST', '/recording', text],
      ['GET', `/orders/${encoded}`],
      ['GET', `/orders?clientOrderId=${encoded}`],
      ['GET', `/operations/${encoded}`],
      ['GET', `/recording?${encoded}=1`],
      ['GET', `/recording?after=${encoded}`],
      ['POST', `/${encoded}`],
    ]
    const [method, path, body] = world.random.pick(acts)
    await world.sandbox(method, path, body)
  },
}

function rowsOf(world: World) {
  return recurringRows('createRecurringPayments', [
    {
      recurringCardType: 'SRC',
      clientOrderId: world.id(),
      cardNumber: world.card(),
      cvv2: world.cvv(),
      amount: '1.00',
      currency: 'USD',
      expireMonth: '12',
      expireYear: '2031',
      cardPrintedName: 'J. SMITH',
    },
  ])
}

/** The ids of the order, if there is one then. */
async function sell(world: World, changes: Parameters<typeof requestFixture<'sale'>>[1]) {
  const clientOrderId = world.id()
  const { body } = await world.ask(await world.signed('sale', { clientOrderId, ...changes }))
  const orderId = /"paynet-order-id": ?"(\d+)"/.exec(body)?.[1] ?? ''
  if (orderId !== '') world.orders.push({ clientOrderId, orderId })
  return { orderId }
}
