import type { World } from './world.ts'

const MINUTE = 60_000
/** An intent marked as being sent that never was is presumed absent after three answers, an hour apart. */
const APART_MS = 80 * MINUTE
const MOST_ROUNDS = 10

/** None of the nodes lives: it is as if this much time had gone by. */
const LATER = `update tallystick.nodes set alive_until = alive_until - interval '${APART_MS} ms'`
const OPEN = {
  shop: [
    `select count(*) from journal_intents where state in ('SENDING', 'UNKNOWN', 'ACCEPTED')
       or (state = 'REJECTED' and next_check_at is not null)`,
    'select count(*) from journal_outcomes where handled_at is null',
  ],
  gateway: [
    "select count(*) from tallystick.deliveries where state = 'open'",
    "select count(*) from tallystick.operations where status in ('sent', 'unknown')",
  ],
}

/**
 * Lets everything end undisturbed, in one process of each half, while time goes by for their clocks and for the leases of dead
 * processes. What is still open after that is a finding.
 */
export async function drain(world: World): Promise<void> {
  await world.rows('gateway', LATER)
  const [gateway, shop] = [world.startGateway(APART_MS), world.startShop(APART_MS)]
  try {
    const origins = { gateway: [await gateway.listening()], shop: [await shop.listening()] }
    world.up.gateway = () => origins.gateway
    world.up.shop = () => origins.shop
    // A customer who pressed twice was told once that the payment is under way, and left.
    await shop.call('payWhatNeverLeft')
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await gateway.call('settle')
      await shop.call('finish')
      // The shop's requests may have caused callbacks.
      await gateway.call('settle')
      if ((await countOpen(world)) === 0) break
      await Promise.all([gateway.call('advance', APART_MS), shop.call('advance', APART_MS)])
    }
    await Promise.all([gateway.stop(), shop.stop()])
  } finally {
    await Promise.all([gateway.kill(), shop.kill()])
    world.findings.push(...gateway.complaints(), ...shop.complaints())
  }
}

async function countOpen({ rows }: World): Promise<number> {
  const counts = [...OPEN.shop.map((sql) => rows('shop', sql)), ...OPEN.gateway.map((sql) => rows('gateway', sql))]
  return (await Promise.all(counts)).reduce((sum, [row]) => sum + Number(row?.['count']), 0)
}
