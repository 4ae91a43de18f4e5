import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** The framework that the shop is on. */
  readonly framework: 'express' | 'nest'
  readonly once: boolean
  readonly showCredentials: boolean
  /** `undefined`: the usual one, or any free one when it is taken. */
  readonly gatewayPort: number | undefined
  readonly shopPort: number | undefined
  /** Where to keep the data. `undefined`: in a folder that is gone at the end. */
  readonly data: string | undefined
}

const HELP = `Starts a payment gateway and a shop, and plays a customer's journey through both.

  npm start -- [options]

  --nest                 the shop on Nest (default: the one on Express)
  --once                 end after the journey; exit code 0 if every step came out right
  --data <folder>        keep the databases of both there, for the next start (default: forgotten at the end)
  --credentials          print what a client of your own needs to call the gateway; made anew for every run
  --gateway-port <port>  port of the gateway (default 8080, or any free one)
  --shop-port <port>     port of the shop (default 3000, or any free one)
  --help                 this text
`

/** Reads the command line. Prints the help, or what is wrong, and ends the process, where there is nothing to start. */
export function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parse(args)
    if (values.help) end(HELP, 0)
    const [gatewayPort, shopPort] = [portOf(values, 'gateway-port'), portOf(values, 'shop-port')]
    const data = values.data === undefined ? undefined : resolve(values.data)
    const framework = values.nest ? 'nest' : 'express'
    return { framework, once: values.once, showCredentials: values.credentials, gatewayPort, shopPort, data }
  } catch (error) {
    return end(`${(error as Error).message}\n\n${HELP}`, 2)
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      nest: { type: 'boolean', default: false },
      once: { type: 'boolean', default: false },
      data: { type: 'string' },
      credentials: { type: 'boolean', default: false },
      'gateway-port': { type: 'string' },
      'shop-port': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
}

function portOf(values: Readonly<Record<string, unknown>>, option: 'gateway-port' | 'shop-port'): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  const port = Number(text)
  if (text !== '' && Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new TypeError(`--${option} must be a port from 0 to 65535`)
}

function end(text: string, exitCode: number): never {
  ;(exitCode === 0 ? console.log : console.error)(text)
  process.exit(exitCode)
}
