/**
 * What `npm start` runs: a gateway and a shop over real sockets, and a customer who buys. Prints what happened line by
 * line, then stays up; with `--once` it ends, with exit code 0 only if every step came out right.
 */
import { playJourney } from './journey.ts'
import { readOptions } from './options.ts'
import { startWorld, type World } from './world.ts'

const options = readOptions(process.argv.slice(2))
const log = (line: string) => console.log(`   shop: ${line}`)
const world = await startWorld({ ...options, log }).catch(giveUp)
console.log(`gateway  ${world.gateway.merchant.baseUrl}`)
console.log(`shop     ${world.shopUrl}\n`)
const failed = await playJourney(world, console.log)
process.exitCode = failed === 0 ? 0 : 1
if (options.showCredentials) printCredentials(world)
if (options.once) await world.close()
else stayUp(world)

function giveUp(error: Error): never {
  console.error(`start: ${error.message}`)
  process.exit(1)
}

function stayUp({ shopUrl, close }: World): void {
  console.log(`\nOpen ${shopUrl} in a browser. Ctrl+C stops.`)
  const stop = () => void close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** Only on request: they are keys, though of a gateway that forgets them when it ends. */
function printCredentials({ gateway: { merchant } }: World): void {
  console.log('\nFor createPaymentClient:')
  const { baseUrl, login, endpointId } = merchant
  console.log(JSON.stringify({ baseUrl, login, endpointId, controlKey: merchant.controlKey.reveal() }, null, 2))
}
