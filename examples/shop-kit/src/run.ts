import { chooseStaffPassword, STAFF, STAFF_PASSWORD } from './access.ts'
import { playJourney } from './journey/journey.ts'
import { readOptions } from './options.ts'
import { type StartShop, startWorld, type World, type WorldOptions } from './world/world.ts'

/**
 * What `npm start` does with a shop: starts a gateway and the shop over real sockets, plays the journey and prints it line by
 * line, then stays up; with `--once` it ends, with exit code 0 only if every step came out right.
 */
export async function run(framework: string, startShop: StartShop): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  let isPlaying = true
  // During the journey nothing is logged: the journey prints its own lines.
  const log = (line: string) => isPlaying || console.log(`shop: ${line}`)
  const world = await begin({ ...options, startShop, log }).catch(giveUp)
  const stopping = stopOnSignal(world)
  printAddresses(framework, world)
  if (options.data !== undefined) console.log(`data      ${world.folder}`)
  const wrong = await tellJourney(world)
  isPlaying = false
  process.exitCode = wrong === 0 ? 0 : 1
  if (options.showCredentials) printCredentials(world)
  if (options.once) await world.close()
  else if (!stopping.hasBegun) printPages(world)
}

async function begin(options: WorldOptions): Promise<World> {
  return await startWorld({ ...options, staffPassword: chooseStaffPassword(process.env) })
}

function giveUp(error: Error): never {
  console.error(`start: ${error.message}`)
  process.exit(1)
}

function printAddresses(framework: string, { gateway, shop, workbench, staffPassword }: World): void {
  console.log(`gateway   ${gateway.merchant.baseUrl}`)
  console.log(`workbench ${workbench}`)
  console.log(`shop      ${shop.url}, on ${framework}`)
  // The one place where it is printed. One of the operator's choice is not: it may be in use elsewhere.
  const password = process.env[STAFF_PASSWORD] ? `as in ${STAFF_PASSWORD}` : staffPassword
  console.log(`office    ${shop.url}/back-office, user ${STAFF}, password ${password}`)
}

/** Plays the journey and prints how it ended. Gives how many steps came out wrong. */
async function tellJourney(world: World): Promise<number> {
  const began = performance.now()
  const chapters = await playJourney(world, console.log)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const bad = chapters.filter(({ wrong }) => wrong > 0)
  const end =
    bad.length === 0 ? `All ${chapters.length} journeys came out right` : `${bad.length} journeys came out wrong`
  console.log(`\n${end}, in ${seconds} s.`)
  return chapters.reduce((sum, { wrong }) => sum + wrong, 0)
}

function printPages({ shop: { url }, workbench }: World): void {
  const office = `${url}/back-office`
  console.log(`\nOpen in a browser:\n   ${url.padEnd(office.length)}   the shop`)
  console.log(`   ${office}   its back office, with the orders of the journey; user and password are printed above`)
  console.log(`   ${workbench}   the workbench: what happened in the gateway`)
  console.log(`${TEST_CARD}\nCtrl+C stops.\n`)
}

const TEST_CARD = 'Card 4444 5555 6666 1111, any name, any future expiry date; code 123 is approved, 116 is declined.'

/** Ctrl+C arrives more than once: from the terminal and from the process that started this one. Only the first one counts. */
function stopOnSignal({ close }: World): { readonly hasBegun: boolean } {
  const stopping = { hasBegun: false }
  const stop = () => {
    if (stopping.hasBegun) return
    stopping.hasBegun = true
    void close().finally(() => process.exit())
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return stopping
}

/** Only on request, because they are keys, even if the gateway gets new ones at its next start. */
function printCredentials({ gateway: { merchant } }: World): void {
  console.log('\nFor createPaymentClient:')
  const { baseUrl, login, endpointId } = merchant
  console.log(JSON.stringify({ baseUrl, login, endpointId, controlKey: merchant.controlKey.reveal() }, null, 2))
}
