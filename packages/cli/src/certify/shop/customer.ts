import { type CustomerAnswer, cards, type TestCard } from '@tallystick/testing'
import { type BrowserForm, payOnPages } from '@tallystick/testing/internal'
import type { World } from '../../world.ts'
import { Wrong } from './verdict.ts'

/** What a customer does on the gateway's pages. */
export interface Customer {
  readonly card?: TestCard | undefined
  /** `leaves`: they go away where the bank asks them, or where the gateway says to wait. */
  readonly answer?: CustomerAnswer | 'leaves' | undefined
}

interface Pages {
  readonly origin: string
  readonly world: World
  /** Waits for what the gateway does on its own. */
  readonly settled: () => Promise<void>
}

/** The customer went away. Not a failure of anybody. */
export class CustomerLeft extends Error {
  override readonly name = 'CustomerLeft'
}

/**
 * Pays on the form, and gives what leads back to the shop.
 *
 * @throws CustomerLeft if they went away
 * @throws Wrong if they cannot pay there
 */
export async function payOnForm(
  form: string,
  { card = cards.approved, answer = 'confirms' }: Customer,
  { origin, world, settled }: Pages,
): Promise<BrowserForm> {
  const leaves = answer === 'leaves'
  try {
    return await payOnPages(
      form,
      { card, answer: leaves ? 'confirms' : answer },
      { origin, fetch: browsing(world, leaves), settled },
    )
  } catch (error) {
    if (error instanceof CustomerLeft) throw error
    throw new Wrong(`the customer cannot pay where the shop leads them: ${(error as Error).message}`, 'lostSale')
  }
}

function browsing({ exchange }: World, leaves: boolean): Parameters<typeof payOnPages>[2]['fetch'] {
  return async (url, { method = 'GET', body }) => {
    if (leaves && url.includes('/acs/')) throw new CustomerLeft()
    const form = body === undefined ? {} : { body: body.toString(), headers: FORM }
    const reply = await exchange({ method, url, ...form })
    if ('failure' in reply) throw new Error(`the sandbox does not answer: ${reply.failure}`)
    const location = reply.headers['location']?.[0]
    if (leaves && location === undefined && !reply.body.includes('<form ')) throw new CustomerLeft()
    return new Response(reply.body, {
      status: reply.status,
      ...(location === undefined ? {} : { headers: { location } }),
    })
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
