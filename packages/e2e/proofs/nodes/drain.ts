import { setTimeout as pause } from 'node:timers/promises'
import type { NodeProcess } from '../process/node-process.ts'
import type { ToGateway, ToShop } from './messages.ts'
import { numberOf } from './purchase.ts'
import type { World } from './world.ts'

const MINUTE = 60_000
/** An intent marked as being sent that never was is presumed absent after three answers, an hour apart. */
const APART_MS = 80 * MINUTE
const MOST_ROUNDS = 10
const PATIENCE_MS = 30_000

/**
 * Lets everything end undisturbed, in one process of each half, while time goes by for their clocks and for the leases of dead
 * processes. What is still open after that is a finding.
 */
export async function drain(world: World): Promise<void> {
  await world.watch.rows('gateway', LATER)
  const gateway = world.startGateway(APART_MS)
  const paid = new Set<number>()
  const shop = world.startShop(APART_MS, (number) => paid.add(number))
  try {
    const [gate, till] = await Promise.all([gateway.origin, shop.origin])
    if (gate === undefined || till === undefined) throw new Error('A process does not start')
    world.up.gateways = () => [gate]
    world.up.shops = () => [till]
    await payWhatNeverLeft(world, shop, paid)
    await goOn({ world, gateway, shop })
    shop.tell('stop')
    gateway.tell('stop')
    await Promise.all([shop.ended, gateway.ended])
  } finally {
    await Promise.all([gateway.kill(), shop.kill()])
    world.findings.push(...[gateway.complaints(), shop.complaints()].filter((complaint) => complaint !== ''))
  }
}

/** None of the nodes lives: it is as if this much time had gone by. */
const LATER = `update tallystick.nodes set alive_until = alive_until - interval '${APART_MS} ms'`

const NEVER_LEFT = "select business_key from journal_intents where state in ('PREPARED', 'NOT_SENT')"
const LOOKED_EVERY_MS = 50

/**
 * Pays what never left. A customer who pressed twice was told once that the payment is under way, and left: so the shop pays
 * again, with the card from the customer.
 */
async function payWhatNeverLeft(world: World, shop: NodeProcess<ToShop>, paid: ReadonlySet<number>): Promise<void> {
  const left = (await world.watch.rows('shop', NEVER_LEFT)).map((row) => numberOf(String(row['business_key'])))
  for (const number of left) shop.tell({ pay: number, purchase: world.purchaseOf(number) })
  const until = performance.now() + PATIENCE_MS
  while (paid.size < left.length && performance.now() < until) await pause(LOOKED_EVERY_MS)
}

interface Draining {
  readonly world: World
  readonly gateway: NodeProcess<ToGateway>
  readonly shop: NodeProcess<ToShop>
}

async function goOn({ world, gateway, shop }: Draining): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await gateway.ask('settle')
    await shop.ask('finish')
    // The shop's requests may have caused callbacks.
    await gateway.ask('settle')
    if ((await countOpen(world)) === 0) return
    for (const each of [gateway, shop]) each.tell({ goOnMs: APART_MS })
  }
}

const OPEN_INTENTS = `select count(*) from journal_intents where state in ('SENDING', 'UNKNOWN', 'ACCEPTED')
  or (state = 'REJECTED' and next_check_at is not null)`
const OPEN_OUTCOMES = 'select count(*) from journal_outcomes where handled_at is null'
const OPEN_DELIVERIES = "select count(*) from tallystick.deliveries where state = 'open'"
const OPEN_OPERATIONS = "select count(*) from tallystick.operations where status in ('sent', 'unknown')"

async function countOpen({ watch }: World): Promise<number> {
  const counted = await Promise.all([
    watch.rows('shop', OPEN_INTENTS),
    watch.rows('shop', OPEN_OUTCOMES),
    watch.rows('gateway', OPEN_DELIVERIES),
    watch.rows('gateway', OPEN_OPERATIONS),
  ])
  return counted.reduce((sum, [row]) => sum + Number(row?.['count']), 0)
}
