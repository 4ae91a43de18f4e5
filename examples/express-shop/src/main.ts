/**
 * What `npm start` runs: a gateway and a shop over real sockets, and a customer who buys. Prints what happened line by
 * line, then stays up; with `--once` it ends, with exit code 0 only if every step came out right.
 */
import { parseArgs } from 'node:util'
import { playJourney } from './journey.ts'
import { startWorld } from './world.ts'

const HELP = `Starts a payment gateway and a shop, and plays a customer's journey through both.

  npm start -- [options]

  --once                 end after the journey; exit code 0 if every step came out right
  --gateway-port <port>  port of the gateway (default 8080, or any free one)
  --shop-port <port>     port of the shop (default 3000, or any free one)
  --help                 this text
`

const { values } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    'gateway-port': { type: 'string', default: '8080' },
    'shop-port': { type: 'string', default: '3000' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(HELP)
} else {
  const world = await startWorld({ gatewayPort: portOf('gateway-port'), shopPort: portOf('shop-port'), log })
  console.log(`gateway  ${world.gateway.merchant.baseUrl}`)
  console.log(`shop     ${world.shopUrl}\n`)
  const failed = await playJourney(world, console.log)
  process.exitCode = failed === 0 ? 0 : 1
  if (values.once) await world.close()
  else stayUp(world)
}

/** What happens in the shop, between the lines of the journey. */
function log(line: string): void {
  console.log(`   shop: ${line}`)
}

function portOf(option: 'gateway-port' | 'shop-port'): number {
  const port = Number(values[option])
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  console.error(`--${option} must be a port from 0 to 65535`)
  process.exit(2)
}

function stayUp({ shopUrl, close }: Awaited<ReturnType<typeof startWorld>>): void {
  console.log(`\nOpen ${shopUrl} in a browser. Ctrl+C stops.`)
  const stop = () => void close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}
