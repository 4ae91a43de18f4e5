import { memoryStore } from '@tallystick/gateway'
import type { Store } from '@tallystick/gateway/store'
import { startGateway } from '@tallystick/testing'
import type { Page } from 'playwright-core'
import type { Stage } from './stage.ts'

/** How a browser comes to the pages that say no more than that it did not work: by a status, what leads there. */
export const FAILURES = {
  404: async (page: Page, { gateway }: Stage) => {
    await page.goto(addressOf('form', gateway))
  },
  410: async (page: Page, { gateway, openForm }: Stage) => {
    const { address } = await openForm('sale')
    // Half an hour for the form, and as long again for the way back.
    await gateway.clock.advance('61m')
    await page.goto(address)
  },
  400: async (page: Page, { openForm }: Stage) => {
    await page.goto((await openForm('sale')).address)
    await page.evaluate('document.forms[0].enctype = "multipart/form-data"')
    await page.evaluate('document.forms[0].submit()')
    await page.getByRole('heading', { name: 'This could not be read' }).waitFor()
  },
  405: async (page: Page, { gateway }: Stage) => {
    // Only forms are sent there, and here it is opened as an address.
    await page.goto(addressOf('acs/challenge', gateway))
  },
  500: async (page: Page) => {
    const fails = async () => {
      throw new Error('The store is away')
    }
    await using gateway = await startGateway({ store: storeThatFinds(fails) })
    await page.goto(addressOf('form', gateway))
  },
  503: async (page: Page) => {
    const entered = Promise.withResolvers<void>()
    const left = Promise.withResolvers<undefined>()
    const waits = () => {
      entered.resolve()
      return left.promise
    }
    await using gateway = await startGateway({ store: storeThatFinds(waits), maxConcurrentRequests: 1 })
    const first = gateway.fetch(addressOf('form', gateway))
    await entered.promise
    await page.goto(addressOf('form', gateway))
    left.resolve(undefined)
    await first
  },
} as const

/** The page of an order that is none. */
function addressOf(path: 'form' | 'acs/challenge', { merchant }: Pick<Stage['gateway'], 'merchant'>): string {
  return `${merchant.baseUrl}/${path}/AAAAAAAAAAAAAAAAAAAAAA`
}

function storeThatFinds(orderByPageToken: Store['orderByPageToken']): Store {
  return { ...memoryStore(), orderByPageToken }
}
