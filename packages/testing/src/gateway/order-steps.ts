import { type OrderSteps, orderSteps as stepsOf } from '@tallystick/core/internal'
import type { TestGateway } from './test-gateway.ts'

/**
 * What happened to an order, without what differs each time, such as ids and times: the calls with their answers, the statuses, the
 * callbacks with the shop's answers and, if the shop records into `gateway.recording`, how its handler ended. What the workbench copies
 * as a test compares it with what was recorded.
 *
 * @throws Error if the merchant has no such order
 */
export async function orderSteps(gateway: TestGateway, clientOrderId: string): Promise<OrderSteps> {
  const { orderId } = await gateway.order(clientOrderId)
  return stepsOf([...(gateway.recording?.events() ?? [])], orderId, clientOrderId)
}

/**
 * Advances the clock until the callbacks of an order were sent so many times in all, as long as one of them is due.
 *
 * @throws Error if the merchant has no such order
 */
export async function calledBack(gateway: TestGateway, clientOrderId: string, times: number): Promise<void> {
  for (;;) {
    await gateway.settled()
    const { callbacks } = await gateway.order(clientOrderId)
    const made = callbacks.reduce((sum, { attempts }) => sum + attempts, 0)
    const dues = callbacks.flatMap(({ dueAt }) => (dueAt === undefined ? [] : [Date.parse(dueAt)]))
    if (made >= times || dues.length === 0) return
    await gateway.clock.advance(Math.max(1, Math.min(...dues) - gateway.clock.now()))
  }
}
