import type { Gateway, GatewayRequest } from '../../src/index.ts'
import { FORMULAS } from './formulas.ts'
import {
  CARD,
  controlled,
  type Fields,
  fieldsOf,
  merchants,
  type OAuthSigning,
  oauthSigned,
  PAYER,
  rsaKeys,
  SALE,
  SHOP,
  type Signer,
  status,
} from './signed-requests.ts'
import { type TestGatewayOptions, testGateway } from './test-gateway.ts'

/** Made once: an RSA key takes longer to make than a whole test. */
export const shopKeys = rsaKeys()

/** An order as its merchant names it. */
export type Ids = { readonly client_orderid: string; readonly orderid: string }

export const MONEY = { amount: '34.00', currency: 'EUR' }

/** The control formula of each operation. A path that is not here has the formula `named`. */
const FORMULA_OF: Readonly<Record<string, string>> = {
  '/api/v2/sale': FORMULAS.paid,
  '/api/v2/preauth': FORMULAS.paid,
  '/api/v2/sale-form': FORMULAS.paid,
  '/api/v2/preauth-form': FORMULAS.paid,
  '/api/v2/payment-form': FORMULAS.paid,
  '/api/v2/account-verification': FORMULAS.verified,
  '/api/v2/account-verification-form': FORMULAS.verified,
  '/api/v2/capture': FORMULAS.modified,
  '/api/v2/return': FORMULAS.modified,
  '/api/v2/make-rebill': FORMULAS.rebilled,
  '/api/v2/make-rebill-sale': FORMULAS.rebilled,
  '/api/v2/make-rebill-preauth': FORMULAS.rebilled,
  '/api/v2/get-card-info': FORMULAS.informed,
  '/api/3ds/v1/upload-cres-result': FORMULAS.uploaded,
  '/api/3ds/v1/upload-pares-result': FORMULAS.uploaded,
  '/api/3ds/v1/upload-method-url-result': FORMULAS.uploaded,
}

/**
 * The shop at its desk, with a gateway of its own. It signs by the words of the specification, waits until its request is
 * decided, and reads the answer.
 */
export function desk(options: TestGatewayOptions = {}) {
  const made = testGateway({ merchants: merchants({ shop: shopKeys.publicKey }), ...options })
  return { ...made, ...at(made.gateway) }
}

/** A desk at a gateway that was made elsewhere. */
export function at(gateway: Pick<Gateway, 'handle' | 'settled' | 'clock' | 'isReady'>) {
  let sent = 0
  let orders = 0
  const now = () => Math.floor(gateway.clock.now() / 1000)

  async function send(request: GatewayRequest): Promise<Fields> {
    const reply = await gateway.handle(request)
    await gateway.settled()
    return { ...fieldsOf(reply), http: String(reply.status) }
  }

  /** A request signed by control. It has the login if the formula does. */
  function request(path: string, fields: Fields, signer: Signer = SHOP): GatewayRequest {
    const formula = FORMULA_OF[path] ?? FORMULAS.named
    const login = formula.includes('login') ? { login: signer.login } : {}
    return controlled(path, formula, { ...login, ...fields }, signer)
  }

  /** A request signed by OAuth, with a nonce of its own. */
  function oauth(path: string, fields: Fields, signing: Partial<OAuthSigning> = {}): GatewayRequest {
    const how = path.startsWith('/api/v4')
      ? { method: 'RSA-SHA256', key: shopKeys.privateKey }
      : { method: 'HMAC-SHA1', key: SHOP.controlKey }
    return oauthSigned(`${path}/1111`, fields, { ...how, nonce: `desk-${sent++}`, timestamp: now(), ...signing })
  }

  const ask = (path: string, fields: Fields, signer?: Signer) => send(request(path, fields, signer))
  const askOAuth = (path: string, fields: Fields, signing?: Partial<OAuthSigning>) => send(oauth(path, fields, signing))
  const newId = () => `inv-${++orders}`

  /** The ids of the order that a request opened. */
  async function opened(reply: Promise<Fields>): Promise<Ids> {
    const { 'merchant-order-id': id = '', 'paynet-order-id': orderid = '', ...rest } = await reply
    if (orderid === '') throw new Error(`Not opened: ${rest['error-message']}`)
    return { client_orderid: id, orderid }
  }

  /** Waits until all that the last process left is known, looked up and called back. */
  async function recovered(): Promise<void> {
    await gateway.isReady()
    await gateway.settled()
  }

  const told = (names: Fields) => send(status(names))
  return {
    send,
    request,
    oauth,
    ask,
    askOAuth,
    newId,
    recovered,
    told,
    sale: (changes: Fields = {}) => opened(ask('/api/v2/sale', { ...SALE, client_orderid: newId(), ...changes })),
    preauth: (changes: Fields = {}) => opened(ask('/api/v2/preauth', { ...SALE, client_orderid: newId(), ...changes })),
    verification: (changes: Fields = {}) =>
      opened(ask('/api/v2/account-verification', { ...PAYER, ...CARD, client_orderid: newId(), ...changes })),
    payout: (changes: Fields) => opened(askOAuth('/api/v2/payout', { client_orderid: newId(), ...MONEY, ...changes })),
    payoutCheck: (changes: Fields = {}) =>
      opened(
        askOAuth('/api/v4/payout-check', { client_orderid: newId(), ...MONEY, account_number: '4081781', ...changes }),
      ),
    capture: (ids: Ids, money: Fields = {}) => ask('/api/v2/capture', { ...ids, ...money }),
    void: (ids: Ids, money: Fields = {}) => ask('/api/v2/void', { ...ids, ...money }),
    return: (ids: Ids, money: Fields = {}) => ask('/api/v2/return', { ...ids, ...money }),
    /** Stores the card that paid for an order: its reference. */
    cardRef: async (ids: Ids) => (await ask('/api/v2/create-card-ref', ids))['card-ref-id'] ?? '',
    /** What the status shows: status, type, stage, amount now, initial amount. */
    shown: async (ids: Fields) => {
      const { status: word, 'transaction-type': type, 'order-stage': stage, ...money } = await told(ids)
      return [word, type, stage, money['amount'], money['initial-amount']]
    },
  }
}

/** The code of a refusal and how its message begins. */
export function refusal({ 'error-code': code, 'error-message': message }: Fields): string {
  return `${code}: ${message}`
}
