/**
 * Three gateways and two shops on one PostgreSQL; processes and the database are killed all the time.
 *
 *     pnpm prove nodes [--quick] [--runs n] [--seed n]
 */
import { inFolder, type Order, type Outcome, prove, withCommas } from '@tallystick/proof-kit'
import { drain } from './nodes/drain.ts'
import { inspectGateway } from './nodes/inspect-gateway.ts'
import { inspectShops } from './nodes/inspect-shops.ts'
import { type Lived, liveThrough } from './nodes/live-through.ts'
import { planOf } from './nodes/plan.ts'
import { type World, worldIn } from './nodes/world.ts'

const MOST_RESUME_MS = 15_000

await prove({
  name: 'nodes',
  meaning:
    'Three gateways and two shops on one PostgreSQL, each a process, behind fronts that pass to whoever is up. Processes\n' +
    'are killed with SIGKILL at random, the server is stopped with "immediate" every few seconds, signed requests are sent\n' +
    'again to every node, callbacks come twice; at last the long form sells a fifth more in peace. In the end there is\n' +
    'each order once, charged once, its books sum to zero, each outcome took effect once, no nonce was accepted twice, and\n' +
    'work under way went on within 15 s.',
  runs: { of: 'orders', long: 5000, quick: 200 },
  run: (order) =>
    inFolder('nodes', async (folder) => {
      const world = await worldIn(folder, order)
      try {
        return await live(order, world)
      } finally {
        await world.close()
      }
    }),
})

async function live(order: Order, world: World): Promise<Outcome> {
  const plan = planOf(order)
  const lived = await liveThrough(world, order, plan)
  await drain(world)
  const gateway = await inspectGateway(world)
  const shops = await inspectShops(world, gateway.orders, plan.orders)
  const findings = [...world.findings, ...lived.findings, ...late(order, world), ...gateway.findings, ...shops.findings]
  return {
    ok: findings.length === 0,
    figure:
      `${withCommas(plan.orders)} orders, ${told(lived, world)}; ${withCommas(gateway.orders.length)} orders at the gateway, ` +
      `${withCommas(gateway.deliveries)} callbacks, ${withCommas(shops.effects)} effects, ${withCommas(shops.absent)} never arrived, ` +
      `${withCommas(shops.reviewed)} in review: ${findings.length} lost, doubled or wrong; ${resumed(world)}`,
    findings,
  }
}

function told({ kills, gatewayKills }: Lived, { outages, replays }: World): string {
  const { answered, accepted } = replays.counts()
  return (
    `${withCommas(kills)} kills (${withCommas(gatewayKills)} of gateways), ${withCommas(outages.counts().outages)} times PostgreSQL ` +
    `stopped, ${withCommas(answered)} replays (${accepted} accepted)`
  )
}

function resumed({ outages, desk, held }: World): string {
  const { gateway, shop } = outages.counts().longestMs
  const operations = `${withCommas(desk.takeovers())} operations`
  return (
    `work under way went on at the latest ${seconds(gateway)} after an outage at the gateway and ${seconds(shop)} at ` +
    `the shop, what a dead gateway had sent (${operations}) ${seconds(held.gateway.longestMs())} and what a dead shop was ` +
    `at ${seconds(held.shop.longestMs())} after its last sign of life`
  )
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/**
 * The waits that were too long, after the end of an outage and after the death of a process. The quick form is part of every test
 * run, on a machine that does other things as well: there no time is judged.
 */
function late({ isQuick }: Order, { outages, held }: World): readonly string[] {
  if (isQuick) return []
  const { gateway, shop } = outages.counts().longestMs
  const waits = {
    'what a gateway had sent, after an outage': gateway,
    'what a shop waited for, after an outage': shop,
    'what a gateway had sent, after its last sign of life': held.gateway.longestMs(),
    'what a shop was at, after its last sign of life': held.shop.longestMs(),
  }
  return Object.entries(waits)
    .filter(([, wait]) => wait > MOST_RESUME_MS)
    .map(([what, wait]) => `${what}: nothing of it went on for ${seconds(wait)}`)
}
