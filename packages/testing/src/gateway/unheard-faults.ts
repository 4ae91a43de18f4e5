import { catalogue, type Operation, type OperationKey } from '@tallystick/core'
import { FAULTS, type FaultName, type GatewayRequest } from '@tallystick/gateway'
import { actOf } from './scenario.ts'

/** Faults of callbacks that tests asked for, of orders that have none: they would test nothing, and pass. */
export interface UnheardFaults {
  /** An order is to have a fault. */
  asked(clientOrderId: string, fault: FaultName): void
  /** A request on its way to the gateway, whatever becomes of it. */
  seen(request: GatewayRequest): void
  leftovers(): readonly string[]
}

type WireNames = Parameters<Operation['request']['spelling']>[0]

export function unheardFaults(wireNames: WireNames): UnheardFaults {
  const asked: { readonly clientOrderId: string; readonly fault: FaultName }[] = []
  const withAddress = new Set<string>()
  const withoutAddress = new Set<string>()
  return {
    asked: (clientOrderId, fault) => {
      if (FAULTS[fault].acts === 'callback') asked.push({ clientOrderId, fault })
    },
    seen: (request) => {
      const opened = openedBy(request, wireNames)
      if (opened !== undefined) (opened.hasAddress ? withAddress : withoutAddress).add(opened.clientOrderId)
    },
    leftovers: () =>
      asked
        .filter(({ clientOrderId }) => withoutAddress.has(clientOrderId) && !withAddress.has(clientOrderId))
        .map(({ clientOrderId, fault }) => {
          const why = 'it has no serverCallbackUrl and no notifyUrl, so nothing was called'
          return `gateway: forOrder('${clientOrderId}').${actOf(fault)}(): ${why}`
        }),
  }
}

/** The order that a request opens; `undefined` of a request that opens none. */
function openedBy({ url, body }: GatewayRequest, wireNames: WireNames) {
  const key = OPENING.find((one) => url.includes(`${catalogue[one].path}/`))
  if (key === undefined) return undefined
  const { read }: ReturnType<Operation['request']['spelling']> = catalogue[key].request.spelling(wireNames)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const named = new Map([...new URLSearchParams(text)].map(([wireName, value]) => [read.get(wireName), value]))
  const clientOrderId = named.get('clientOrderId')
  if (clientOrderId === undefined) return undefined
  return { clientOrderId, hasAddress: ADDRESSES.some((name) => Boolean(named.get(name))) }
}

const ADDRESSES = ['serverCallbackUrl', 'notifyUrl'] as const

/** What opens an order names where the gateway calls back, or does not. */
const OPENING = (Object.keys(catalogue) as OperationKey[]).filter(
  (key) => 'serverCallbackUrl' in catalogue[key].request.fields,
)
