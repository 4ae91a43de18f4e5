import { catalogue, maskCardNumbers, type Operation, type OperationKey } from '@tallystick/core'
import { matchPath, nearestName } from '@tallystick/core/internal'
import { FAULTS, type FaultControl, type FaultName, type GatewayRequest } from '@tallystick/gateway'
import type { FaultPlace } from '@tallystick/gateway/internal'
import { actOf } from './scenario.ts'

type WireNames = Parameters<Operation['request']['spelling']>[0]

interface UnmetFaultsOptions {
  /** The path with which all addresses of the gateway begin. */
  readonly basePath: string
  readonly wireNames: WireNames
  /** Whether its store may hold orders that another gateway has opened. */
  readonly hasOlderOrders: boolean
}

/** What the requests of an order show about it. */
interface SeenOrder {
  readonly operations: Set<OperationKey>
  isOpened: boolean
  hasAddress: boolean
}

interface AskedFor {
  readonly clientOrderId: string
  readonly fault: FaultName
}

/** Faults that a test asked for and nothing met. Such a test would test nothing, and pass. */
export class UnmetFaults {
  readonly #options: UnmetFaultsOptions
  readonly #next: { readonly operation: OperationKey; readonly fault: FaultName }[] = []
  readonly #orders = new Map<string, SeenOrder>()

  constructor(options: UnmetFaultsOptions) {
    this.#options = options
  }

  /** Notes that the next request of an operation is to have a fault. */
  askedNext(operation: OperationKey, fault: FaultName): void {
    this.#next.push({ operation, fault })
  }

  /** Notes a request on its way to the gateway, whatever becomes of it. */
  seen(request: GatewayRequest): void {
    const named = orderOf(request, this.#options)
    if (named === undefined) return
    const { clientOrderId, operation, hasAddress } = named
    const order = this.#orders.get(clientOrderId) ?? { operations: new Set(), isOpened: false, hasAddress: false }
    order.operations.add(operation)
    order.isOpened ||= OPENING.has(operation)
    order.hasAddress ||= hasAddress
    this.#orders.set(clientOrderId, order)
  }

  /** @param list the faults that were asked for and, as far as the gateway knows, did not happen */
  leftovers({ next, orders }: ReturnType<FaultControl['list']>): readonly string[] {
    const waiting = next.map(({ operation, fault }) => `gateway: next('${operation}').${actOf(fault)}()`)
    const unmet = orders.flatMap((asked) => {
      const why = this.#whyUnmet(asked)
      return why === undefined ? [] : `${this.#written(asked)}: ${why}`
    })
    return [...waiting, ...unmet]
  }

  #whyUnmet({ clientOrderId, fault }: AskedFor): string | undefined {
    const order = this.#orders.get(clientOrderId)
    const whyOf = WHY_UNMET[FAULTS[fault].acts]
    if (order?.isOpened) return whyOf(order)
    const mayBeElsewhere = this.#options.hasOlderOrders || OF_RECURRING_PAYMENT.test(clientOrderId)
    return mayBeElsewhere ? whyOf(ELSEWHERE) : neverCame(clientOrderId, this.#opened())
  }

  #opened(): readonly string[] {
    return [...this.#orders].flatMap(([clientOrderId, { isOpened }]) => (isOpened ? clientOrderId : []))
  }

  /** The fault as the test wrote it. The gateway lists a fault of `next` as one of the order that came. */
  #written({ clientOrderId, fault }: AskedFor): string {
    const operations = this.#orders.get(clientOrderId)?.operations
    const asked = this.#next.find((one) => one.fault === fault && operations?.has(one.operation))
    const how = asked === undefined ? `forOrder('${clientOrderId}')` : `next('${asked.operation}')`
    return `gateway: ${how}.${actOf(fault)}()`
  }
}

/** An order opened elsewhere, of which nothing is known: it may have met every fault of callbacks and of the issuer. */
const ELSEWHERE: SeenOrder = { operations: new Set(['return']), isOpened: true, hasAddress: true }

/** Why an order cannot have had a fault that the gateway still lists; `undefined` if it may have. */
const WHY_UNMET: { readonly [Place in FaultPlace]: (order: SeenOrder) => string | undefined } = {
  // The gateway removes these from its list when they happen.
  reply: () => 'no request that changes this order came after it',
  outcome: () => 'the acquirer was given no operation of this order after it',
  // The following stay on the list.
  callback: ({ hasAddress }) =>
    hasAddress ? undefined : 'it has no serverCallbackUrl and no notifyUrl, so nothing was called',
  issuer: ({ operations }) => (operations.has('return') ? undefined : 'nothing of this order was returned'),
  page: () => undefined,
}

/** The gateway makes these ids: the id of the recurring payment, and the number of the charge. */
const OF_RECURRING_PAYMENT = /^\d{15}-\d+$/

/** As many order ids as fit into a message. */
const MOST_SHOWN = 5

function neverCame(clientOrderId: string, opened: readonly string[]): string {
  const nearest = nearestName(clientOrderId, opened)
  const came = opened.slice(-MOST_SHOWN).join(', ')
  if (nearest !== undefined && nearest !== clientOrderId) return `no request opened it; did you mean ${shown(nearest)}?`
  return opened.length === 0 ? 'no request opened an order' : `no request opened it; there were ${shown(came)}`
}

/** A test may use a card number as an order id. */
function shown(clientOrderIds: string): string {
  return maskCardNumbers(clientOrderIds)
}

/** The order that a request names, and whether it has a callback address; `undefined` if it names none. */
function orderOf({ url, body }: GatewayRequest, { basePath, wireNames }: UnmetFaultsOptions) {
  const [path = ''] = url.split('?')
  const operation = path.startsWith(basePath) ? matchPath(path.slice(basePath.length))?.key : undefined
  if (operation === undefined) return undefined
  const { read }: ReturnType<Operation['request']['spelling']> = catalogue[operation].request.spelling(wireNames)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const named = new Map([...new URLSearchParams(text)].map(([wireName, value]) => [read.get(wireName), value.trim()]))
  const clientOrderId = named.get('clientOrderId')
  if (clientOrderId === undefined) return undefined
  return { clientOrderId, operation, hasAddress: ADDRESSES.some((name) => Boolean(named.get(name))) }
}

const ADDRESSES = ['serverCallbackUrl', 'notifyUrl'] as const

/** Operations that open an order: those whose request may have a callback address. */
const OPENING: ReadonlySet<OperationKey> = new Set(
  (Object.keys(catalogue) as OperationKey[]).filter((key) => 'serverCallbackUrl' in catalogue[key].request.fields),
)
