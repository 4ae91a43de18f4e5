import { same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

/** A request that opened an order comes once more: signed anew, or byte for byte. */
export async function repeat({ request: index, isReplay }: StepOf<'repeat'>, table: Table): Promise<void> {
  const sent = table.sent.at(-1 - (index % Math.max(1, table.sent.length)))
  if (sent === undefined || table.served(sent.target) !== sent.target || table.mayRepeat) return
  if (!isReplay) {
    const { reply } = await table.ask(sent.wire, sent.target, sent.fields)
    table.count('repeated')
    return same('a repeat gets the first answer', reply.body, sent.reply)
  }
  const reply = await table.askBoth([sent.request, sent.request])
  const isRefused = 'authorization' in sent.request.headers || sent.controlKey !== table.controlKeyAt(sent.target)
  if (isRefused) same('a replay', reply.status, 403)
  else same('a replay gets the first answer', reply.body, sent.reply)
  table.count('replayed')
}
