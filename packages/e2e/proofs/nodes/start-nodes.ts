import type { BankCall, FromGateway } from '../kill9/messages.ts'
import { type NodeProcess, startNode } from '../process/node-process.ts'
import type { BankDesk, Caller } from './bank-desk.ts'
import type { FromShop, GatewaySettings, ShopSettings, ToGateway, ToShop } from './messages.ts'

const GATEWAY = new URL('gateway-node.ts', import.meta.url)
const SHOP = new URL('shop-node.ts', import.meta.url)

/** @param cacheFolder where Node stores what it compiled */
export function startGatewayNode(
  settings: GatewaySettings,
  desk: BankDesk,
  cacheFolder: string,
): NodeProcess<ToGateway> {
  const caller: Caller = { diedAt: undefined }
  const node = startNode<FromGateway, ToGateway>({
    module: GATEWAY,
    settings,
    cacheFolder,
    onMessage: (message, tell) => {
      if ('bank' in message) void serve(message.bank, message.callId, { desk, caller, tell })
      return 'settled' in message
    },
  })
  void node.ended.then(() => {
    caller.diedAt = performance.now()
  })
  return node
}

interface Service {
  readonly desk: BankDesk
  readonly caller: Caller
  readonly tell: (message: ToGateway) => void
}

async function serve(call: BankCall, callId: number, { desk, caller, tell }: Service): Promise<void> {
  try {
    tell({ callId, answer: await desk.answer(call, caller) })
  } catch (error) {
    tell({ callId, failure: error instanceof Error ? error.message : String(error) })
  }
}

/** @param onPaid called with how a payment stands that the shop was told to make */
export function startShopNode(
  settings: ShopSettings,
  onPaid: (number: number, outcome: string) => void,
  cacheFolder: string,
): NodeProcess<ToShop> {
  return startNode<FromShop, ToShop>({
    module: SHOP,
    settings,
    cacheFolder,
    onMessage: (message) => {
      if ('paid' in message) onPaid(message.paid, message.outcome)
      return 'isIdle' in message
    },
  })
}
