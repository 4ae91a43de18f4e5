import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** The framework that the shop runs on. */
  readonly framework: 'express' | 'nest'
  readonly once: boolean
  readonly showCredentials: boolean
  /** `undefined`: the default port, or any free one if that is taken. */
  readonly gatewayPort: number | undefined
  readonly shopPort: number | undefined
  /** Where to keep the data. `undefined`: in a folder that is deleted at the end. */
  readonly data: string | undefined
}

const HELP = `Starts a payment gateway and a shop, and plays a customer's journey through both.

  npm start -- [options]

  --nest                 run the shop on Nest (default: on Express)
  --once                 end after the journey; exit code 0 if every step came out right
  --data <folder>        keep both databases there for the next start (default: delete them at the end)
  --credentials          print the credentials for a client of your own; they are new for every run
  --gateway-port <port>  port of the gateway (default 8080, or any free one if it is taken)
  --shop-port <port>     port of the shop (default 3000, or any free one if it is taken)
  --help                 print this text
`

/** Reads the command line. For `--help` and for wrong options it prints the help and ends the process. */
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
