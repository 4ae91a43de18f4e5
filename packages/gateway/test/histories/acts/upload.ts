import { issuer } from '../../support/issuer.ts'
import type { Fields } from '../../support/signed-requests.ts'
import { same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

/** The merchant uploads the result of a 3DS step, or of one that the order does not wait for. */
export async function upload(
  { order: index, step, verdict, isStranger }: StepOf<'upload'>,
  table: Table,
): Promise<void> {
  const order = table.orderAt(index, ({ first }) => first.state === 'customer')
  if (order === undefined) return
  const { first, orderId } = order
  order.tick(table.now)
  const awaited = first.state === 'customer' ? first.awaits : undefined
  const right = { challenge: 'cres', pareq: 'pares', method: 'method-url' }[awaited ?? ''] ?? 'cres'
  const way = step === 'right' ? right : step
  const isAwaited = awaited !== undefined && way === right
  if (isStranger) {
    const other = order.login === 'shop' ? '2222' : '1111'
    const named = { 'client-order-id': order.clientOrderId, orderid: orderId, cRes: 'e30' }
    return table.expectCode('a stranger uploads', (await table.ask('upload-cres-result', other, named)).read, ['2'])
  }
  const values = await Promise.all(
    table.sides.map(async ({ store }): Promise<Fields> => {
      if (way === 'method-url') return { threeDSCompInd: 'Y' }
      if (!isAwaited) return way === 'cres' ? { cRes: 'e30' } : { paRes: 'e30' }
      return way === 'cres'
        ? { cRes: await issuer(store).cRes(orderId, verdict) }
        : { paRes: await issuer(store).paRes(orderId, verdict) }
    }),
  )
  const [one, other] = values.map((value) => {
    const fields = { 'client-order-id': order.clientOrderId, orderid: orderId, ...value }
    return table.sign(`upload-${way}-result`, order.endpointId, fields)
  })
  if (one === undefined || other === undefined) return
  const read = JSON.parse((await table.askBoth([one, other])).body) as Fields
  if (!isAwaited) return table.expectCode(`upload ${way} for ${orderId}`, read, ['9'])
  same(`upload ${way} for ${orderId}`, read['type'], 'async-response')
  table.count(`upload ${way}`)
}
