/** A shop that takes callbacks by `toFetchHandler`, as its guide says, alone or behind Hono. */
import { createCallbackHandler, HandlerError, toFetchHandler } from '@tallystick/client'
import { saleInput } from '@tallystick/testing'
import { Hono } from 'hono'
import { type JournalKind, openJournal } from './journal.ts'
import { clientOf, type Merchant } from './payments.ts'

export interface ShopToOpen {
  readonly merchant: Merchant
  readonly journal: JournalKind
  /** The file of a journal that is in one. */
  readonly file: string
  readonly callbackUrl: string
}

interface Shop {
  take(request: Request): Promise<Response>
  pay(): Promise<object>
  effects(): Promise<readonly string[]>
  close(): Promise<void>
}

let shop: Shop | undefined

/** Opens a shop in place of the last one. */
export async function openShop(to: ShopToOpen): Promise<string> {
  await shop?.close()
  shop = make(to)
  return to.journal
}

/** Makes a payment. Gives how the call ended, and its ids. */
export const pay = () => opened().pay()
/** What the shop did, once for each outcome. */
export const effects = () => opened().effects()

/** Takes a callback: at `/callback`, or behind Hono at any other address. */
export const takeCallback = (request: Request): Promise<Response> => opened().take(request)

function opened(): Shop {
  if (shop === undefined) throw new Error('no shop is open')
  return shop
}

function make({ merchant, journal: kind, file, callbackUrl }: ShopToOpen): Shop {
  const client = clientOf(merchant)
  const done: string[] = []
  const journal = openJournal(kind, { client, file, done })
  const handler = createCallbackHandler(
    journal === undefined
      ? {
          client,
          onOutcome: ({ orderId, status }) => void (done.includes(orderId + status) || done.push(orderId + status)),
          onNotice: 'ignore',
        }
      : { client, inbox: journal.inbox },
  )
  const plain = toFetchHandler(handler)
  const app = new Hono()
  app.all('/hono', (context) => plain(context.req.raw))
  app.onError((error, context) => context.text(error.message, error instanceof HandlerError ? error.status : 500))
  return {
    take: async (request) => {
      if (new URL(request.url).pathname === '/hono') return await app.fetch(request)
      try {
        return await plain(request)
      } catch (error) {
        return new Response('', { status: error instanceof HandlerError ? error.status : 500 })
      }
    },
    pay: async () => {
      const { clientOrderId, ...sale } = saleInput({ serverCallbackUrl: callbackUrl })
      if (journal !== undefined) {
        const { outcome, intent } = await journal.pay('invoice 77', 'sale', sale)
        return { outcome, clientOrderId: intent.clientOrderId, orderId: intent.orderId }
      }
      const sold = await client.sale({ ...sale, clientOrderId })
      return { outcome: sold.outcome, clientOrderId, orderId: sold.outcome === 'accepted' ? sold.reply.orderId : '' }
    },
    effects: async () => {
      await journal?.reconcile()
      return done
    },
    close: async () => {
      await journal?.close()
      await client.close()
    },
  }
}
