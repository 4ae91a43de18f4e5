import { catalogue, controlTerms, defineProfile, operationUrl, type Pair, serializeForm } from '@tallystick/core'
import { describeIssue, endpointAddress } from '@tallystick/core/internal'
import { signControl } from '@tallystick/signing'
import { OPERATOR_KEY } from '../requests/operator-access.ts'
import type { Configuration } from './configuration.ts'
import type { MovedPort } from './ports.ts'
import { newKey, parseConfiguration } from './read-configuration.ts'

/** A sandbox without a file: it has a merchant of its own, and takes free ports where those of another one are. */
export interface OwnSandbox {
  readonly configuration: Configuration
  /** With the operator key. */
  readonly environment: Environment
  /** Whether the command line names the port of the interface: then it has to be that one. */
  readonly isPortFixed: boolean
  /** What a shop, the command line and a person need. Keys are in it: it is for the terminal, and not for the log. */
  readonly announcement: (started: Started) => string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where the sandbox is. */
interface Started {
  readonly publicUrl: string
  /** Scheme, host and port of the port for tests. */
  readonly sandbox: string
  /** The ports that were taken, and what is used instead. */
  readonly moved: readonly MovedPort[]
  /** Milliseconds since 1970. */
  readonly at: number
}

const LOGIN = 'test'
const ENDPOINT = '1'

const CONTROL_KEY = 'TALLYSTICK_CONTROL_KEY'

/** Makes the merchant and the keys. A key that is set in the environment is kept, so that a shop goes on after a restart. */
export function ownSandbox(
  given: Environment,
  { port, host }: Pick<Partial<Configuration>, 'port' | 'host'>,
): OwnSandbox {
  const controlKey = given[CONTROL_KEY]?.trim() || newKey()
  const operatorKey = given[OPERATOR_KEY]?.trim() || newKey()
  const merchant = { login: LOGIN, controlKey, endpoints: [{ id: ENDPOINT }] }
  // Who opens the interface to others, as in a container, wants the workbench there too.
  const setting = { sandbox: true, merchants: [merchant], ...(host === undefined ? {} : { sandboxHost: host }) }
  const configuration = parseConfiguration(JSON.stringify(setting), 'the sandbox')
  return {
    configuration,
    environment: { ...given, [OPERATOR_KEY]: operatorKey },
    isPortFixed: port !== undefined,
    announcement: (started) => announcementOf(started, { controlKey, operatorKey, given }),
  }
}

interface Keys {
  readonly controlKey: string
  readonly operatorKey: string
  readonly given: Environment
}

function announcementOf({ publicUrl, sandbox, moved, at }: Started, { controlKey, operatorKey, given }: Keys): string {
  const taken = moved.map(({ setting, from, to }) => `${setting}: ${from} is taken, so it is ${to}\n`)
  // Who set a key knows it.
  const keyLine = (name: string, key: string) =>
    given[name]?.trim() === key ? `# ${name} is set` : `export ${name}=${key}`
  const workbenchAt = (origin: string) =>
    given[OPERATOR_KEY]?.trim() === operatorKey
      ? `${origin}/  (it asks for ${OPERATOR_KEY})`
      : `${origin}/?token=${encodeURIComponent(operatorKey)}`
  return `a sandbox with a merchant of its own; Ctrl+C ends it
${taken.join('')}
For a shop. A key is new at each start, unless its variable is set:
  export TALLYSTICK_BASE_URL=${publicUrl}
  export TALLYSTICK_LOGIN=${LOGIN}
  export TALLYSTICK_ENDPOINT=${ENDPOINT}
  ${keyLine(CONTROL_KEY, controlKey)}

For tallystick tail, orders, order and trigger:
  export TALLYSTICK_SANDBOX=${sandbox}
  ${keyLine(OPERATOR_KEY, operatorKey)}

The workbench, a page that shows what happens:
  ${workbenchAt(sandbox)}

The card 4444555566661111, until 12/2039. Its CVV decides:
  123 approved   116 declined   321 asks for 3-D Secure   217 stays unknown

A sale of 10.42 EUR that is approved; each order needs an id of its own:
  ${curlOf(publicUrl, controlKey, `try-${at.toString(36)}`)}`
}

/** A command for a POSIX shell that pays with a test card. */
function curlOf(baseUrl: string, key: string, clientOrderId: string): string {
  const { auth, request: model } = catalogue.sale
  const profile = defineProfile({ baseUrl })
  const pairs = Object.entries({ client_orderid: clientOrderId, ...SALE })
  const made = controlTerms({ auth, model, endpointId: ENDPOINT, pairs, profile })
  if (!made.ok) throw new TypeError(made.issues.map(describeIssue).join('\n'))
  const signed: readonly Pair[] = [...pairs, ['control', signControl({ terms: made.terms, key })]]
  const url = operationUrl('sale', endpointAddress({ endpointId: ENDPOINT }), profile)
  // No value has an apostrophe, and the shell leaves the rest alone between two.
  return `curl ${url} -H 'Accept: application/vnd.pay+json' -d '${serializeForm(signed)}'`
}

const SALE = {
  order_desc: 'A first payment',
  address1: '1 Main St',
  city: 'Berlin',
  zip_code: '10115',
  country: 'DE',
  phone: '+4930123456',
  email: 'john.smith@example.com',
  ipaddress: '203.0.113.7',
  amount: '10.42',
  currency: 'EUR',
  credit_card_number: '4444555566661111',
  card_printed_name: 'JOHN SMITH',
  expire_month: '12',
  expire_year: '2039',
  cvv2: '123',
}
