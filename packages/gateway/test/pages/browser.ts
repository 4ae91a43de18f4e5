import { expect } from 'vitest'
import type { Gateway, GatewayReply, GatewayRequest } from '../../src/index.ts'
import { desk, MONEY } from '../support/desk.ts'
import { BASE_URL, type Fields, form, PAYER } from '../support/signed-requests.ts'
import type { TestGatewayOptions } from '../support/test-gateway.ts'
import { freshKeys } from '../vault/cards.ts'

/** A customer's browser without script: it opens addresses and sends forms. */
export function browser(gateway: Pick<Gateway, 'handle' | 'settled'>, headers: GatewayRequest['headers'] = {}) {
  const ask = async (request: Partial<GatewayRequest> & { readonly url: string }) => {
    const asked = { method: 'GET', body: '', ...request, headers: { ...headers, ...request.headers } }
    return asRead(await gateway.handle(asked))
  }
  return {
    ask,
    open: (address: string) => ask({ url: pathOf(address) }),
    /** Sends a form, and does not follow the answer. */
    send: (address: string, fields: Fields) =>
      ask({
        method: 'POST',
        url: pathOf(address),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form(fields),
      }),
    /** Sends a form, and follows the answer to the page that is shown when all is decided. */
    submit: async (address: string, fields: Fields): Promise<GatewayReply> => {
      const request = { method: 'POST', url: pathOf(address), body: form(fields) }
      const reply = await ask({ ...request, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
      if (reply.status !== 303) return reply
      await gateway.settled()
      return await ask({ url: reply.headers['location'] ?? '' })
    },
  }
}

/** The reply with character references beyond Latin-1 replaced by their characters. */
function asRead(reply: GatewayReply): GatewayReply {
  const body = reply.body.replace(/&#(\d{3,});/g, (_, code: string) => String.fromCodePoint(Number(code)))
  return { ...reply, body }
}

function pathOf(address: string): string {
  return address.startsWith('http') ? address.slice(new URL(BASE_URL).origin.length) : address
}

/** The same for all gateways here, since some stores outlive theirs. */
const KEYS = freshKeys()

/** A card as it is typed into a form. */
export const TYPED = {
  credit_card_number: '4444 3333 2222 1111',
  expiry: '12/31',
  cvv2: '123',
  card_printed_name: 'JOHN SMITH',
}

export const FORM = { ...PAYER, redirect_url: 'https://shop.example.com/return' }

/** A shop with a gateway, and the browser of its customer. */
export function counter(options: TestGatewayOptions = {}, headers: GatewayRequest['headers'] = {}) {
  const made = desk({ vaultKeys: KEYS, ...options })
  /** Opens a form of one of the operations: its address and its order. */
  async function openForm(path = '/api/v2/sale-form', fields: Fields = {}) {
    const money = path.includes('account-verification') ? {} : MONEY
    const request = { ...FORM, ...money, client_orderid: made.newId(), ...fields }
    const reply = await (path.includes('payout') ? made.askOAuth : made.ask)(path, request)
    expect(reply['error-message']).toBeUndefined()
    const {
      'redirect-url': address = '',
      'merchant-order-id': client_orderid = '',
      'paynet-order-id': orderid = '',
    } = reply
    return { address, token: address.slice(-22), ids: { client_orderid, orderid } }
  }
  return { ...made, ...browser(made.gateway, headers), openForm }
}

export const FORM_OPERATIONS = [
  '/api/v2/sale-form',
  '/api/v2/preauth-form',
  '/api/v2/payment-form',
  '/api/v2/account-verification-form',
  '/api/v2/payout-form',
] as const

/** The hidden fields that a page's form would send. */
export function fieldsOf({ body }: GatewayReply): Fields {
  const inputs = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** Where the page's form is sent. */
export function actionOf({ body }: GatewayReply): string | undefined {
  const action = /<form [^>]*action="([^"]*)"/.exec(body)?.[1]
  return action === undefined ? undefined : unescaped(action)
}

function unescaped(text: string): string {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" } as const
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof named) => named[name])
}
