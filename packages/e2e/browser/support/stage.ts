import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Acquirer, type AuthenticationResponse, simulator } from '@tallystick/gateway'
import { openBrowser } from '@tallystick/test-browser'
import { type StartGatewayOptions, startGateway } from '@tallystick/testing'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'

/** A gateway, a shop that is come back to, and a browser between them. */
export type Stage = Awaited<ReturnType<typeof openStage>>

export const FORMS = ['sale', 'preauth', 'account-verification', 'payment', 'payout'] as const
export type FormName = (typeof FORMS)[number]

const PAYER = {
  orderDesc: 'Tally stick of hazel, size M & a leather case',
  address1: '100 Main st',
  city: 'Zürich',
  zipCode: '8001',
  country: 'CH',
  phone: '+41 44 123 4567',
  email: 'john.smith@example.com',
  customerIp: '2001:db8::1',
}
const MONEY = { amount: '1234.50', currency: 'EUR' }

export interface StageOptions {
  /** Default: the simulator. */
  readonly acquirer?: Acquirer
  readonly profile?: StartGatewayOptions['profile']
}

export async function openStage({ acquirer: inner = simulator(), profile }: StageOptions = {}) {
  const executed: string[] = []
  const authenticated: AuthenticationResponse[] = []
  const acquirer: Acquirer = {
    ...inner,
    authenticate: async (instruction, result) => {
      authenticated.push(result)
      return await inner.authenticate(instruction, result)
    },
    execute: async (instruction) => {
      executed.push(instruction.orderId)
      return await inner.execute(instruction)
    },
  }
  const gateway = await startGateway({ acquirer, profile })
  const client = gateway.client()
  const shop = await openShop()
  const browser = await openBrowser()
  let orders = 0

  async function openForm(form: FormName, changes: { preferredLanguage?: string; orderDesc?: string } = {}) {
    const clientOrderId = `form-${++orders}-a`
    const payer = { ...PAYER, clientOrderId, redirectUrl: `${shop.origin}/return`, ...changes }
    const result = await {
      sale: () => client.saleForm({ ...payer, ...MONEY }),
      preauth: () => client.preauthForm({ ...payer, ...MONEY }),
      payment: () => client.paymentForm({ ...payer, ...MONEY }),
      'account-verification': () => client.accountVerificationForm(payer),
      payout: () => client.payoutForm({ ...payer, ...MONEY }),
    }[form]()
    if (result.outcome !== 'accepted') throw new Error(`The form of ${form} was not opened: ${result.outcome}`)
    const { redirectUrl, orderId } = result.reply
    if (redirectUrl === undefined || orderId === undefined) throw new Error('The reply names no page')
    return { address: redirectUrl, orderId, clientOrderId }
  }

  return {
    gateway,
    client,
    shop,
    executed,
    /** Results of 3DS steps, as the acquirer got them. */
    authenticated,
    openForm,
    /** A customer of their own, with nothing of the one before. */
    newCustomer: (options: BrowserContextOptions): Promise<BrowserContext> => browser.newContext(options),
    close: async () => {
      await browser.close()
      await shop.close()
      await gateway.close()
    },
  }
}

/** Where browsers come back to: it keeps what they bring. */
async function openShop() {
  const returns: Array<{ readonly method: string; readonly fields: Readonly<Record<string, string>> }> = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      returns.push({ method: request.method ?? '', fields: Object.fromEntries(new URLSearchParams(body)) })
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<!doctype html><title>Shop</title><link rel="icon" href="data:,"><h1>Thank you</h1>')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    returns,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
