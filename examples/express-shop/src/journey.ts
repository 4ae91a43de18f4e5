import { cards, type TestCard } from '@tallystick/testing'
import type { Order } from './orders.ts'
import type { World } from './world.ts'

interface Step {
  readonly title: string
  readonly product: string
  readonly card: TestCard
  /** How the order must end. */
  readonly state: Order['state']
  /** What the customer must be told. */
  readonly told: RegExp
}

const STEPS: readonly Step[] = [
  {
    title: 'an approved sale',
    product: 'hazel',
    card: cards.approved,
    state: 'paid',
    told: /^Paid with VISA ending in 1111/,
  },
  {
    title: 'a declined sale',
    product: 'willow',
    card: cards.insufficientFunds,
    state: 'not paid',
    told: /^Not sufficient funds$/,
  },
  {
    title: 'a validation error of the gateway',
    product: 'yew',
    card: cards.approved,
    state: 'not paid',
    told: /currency \(currency\) must be one of USD, EUR/,
  },
  {
    title: 'a validation error of the client',
    product: 'hazel',
    card: { ...cards.approved, expireMonth: '13' },
    state: 'not paid',
    told: /expireMonth \(expire_month\) must be a whole number from 1 to 12/,
  },
]

/** How long a step may take until its outcome is known, in milliseconds. */
const PATIENCE_MS = 10_000

/** Buys as a customer does, through the shop's own pages. Gives the number of steps that came out wrong. */
export async function playJourney(world: World, print: (line: string) => void): Promise<number> {
  let failed = 0
  for (const [index, step] of STEPS.entries()) {
    print(`${index + 1}. ${step.title}`)
    const right = await playStep(step, world, (line) => print(`   ${line}`))
    if (!right) failed += 1
  }
  print(failed === 0 ? '\nEvery step came out right.' : `\n${failed} of ${STEPS.length} steps came out wrong.`)
  return failed
}

async function playStep(step: Step, { shop, shopUrl }: World, print: (line: string) => void): Promise<boolean> {
  const { product, card } = step
  const posted = await fetch(`${shopUrl}/orders`, {
    method: 'POST',
    body: new URLSearchParams({ product, ...card }),
    redirect: 'manual',
  })
  const address = posted.headers.get('location') ?? ''
  print(`the customer sent the form; the shop sent the browser on to ${address}`)
  const order = await shop.orders.settled(address.split('/').at(-1) ?? '', AbortSignal.timeout(PATIENCE_MS))
  print(
    `the order is ${order.state}: ${order.note
      .split('\n')
      .map((line) => line.trim())
      .join(' ')}`,
  )
  const page = await fetch(shopUrl + address).then((response) => response.text())
  const right = order.state === step.state && step.told.test(order.note) && page.includes(step.state)
  print(right ? 'right' : `WRONG: it should be ${step.state}, with a note like ${step.told}`)
  return right
}
