import type { FromGateway } from '../kill9/messages.ts'
import { answerQuestion } from '../kill9/remote-bank.ts'
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
      if ('bank' in message) void answerQuestion(message, (call) => desk.answer(call, caller)).then(tell)
      return 'settled' in message
    },
  })
  void node.ended.then(() => {
    caller.diedAt = performance.now()
  })
  return node
}

/** @param onPaid called with the state of a payment that the shop was asked to make */
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
