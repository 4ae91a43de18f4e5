import { askForStatus } from './acts/ask-for-status.ts'
import { chargeback } from './acts/chargeback.ts'
import { goOn, restart } from './acts/go-on.ts'
import { modify } from './acts/modify.ts'
import { open } from './acts/open.ts'
import { operate } from './acts/operate.ts'
import { repeat } from './acts/repeat.ts'
import { cardInfo, storeCard } from './acts/store-card.ts'
import { subscribe } from './acts/subscribe.ts'
import { upload } from './acts/upload.ts'
import { visit } from './acts/visit.ts'
import { IN_ORDER } from './bank.ts'
import { checkAll } from './check-all.ts'
import { drain } from './drain.ts'
import { followTraffic } from './follow-traffic.ts'
import type { Step } from './steps.ts'
import { Table } from './table.ts'

/**
 * Plays a history to its end, through the real handler on both stores and on paper. Returns how often each kind of event
 * happened.
 *
 * @throws Error if a gateway differs from the paper, or the stores differ from each other
 */
export async function play(steps: readonly Step[]): Promise<Readonly<Record<string, number>>> {
  const table = await Table.lay(steps.length % 4 === 0)
  try {
    for (const step of steps) {
      for (const { bank } of table.sides) bank.feels('mood' in step ? step.mood : IN_ORDER)
      await take(step, table)
      await followTraffic(table)
      await checkAll(table)
      table.latest = Math.max(table.latest, table.now)
    }
    await drain(table)
    return table.counts
  } finally {
    await table.clear()
  }
}

function take(step: Step, table: Table): Promise<void> {
  switch (step.does) {
    case 'open':
      return open(step, table)
    case 'modify':
      return modify(step, table)
    case 'repeat':
      return repeat(step, table)
    case 'store card':
      return storeCard(step, table)
    case 'card info':
      return cardInfo(step, table)
    case 'upload':
      return upload(step, table)
    case 'visit':
      return visit(step, table)
    case 'go on':
      return goOn(step, table)
    case 'restart':
      return restart(step, table)
    case 'chargeback':
      return chargeback(step, table)
    case 'subscribe':
      return subscribe(step, table)
    case 'ask':
      return askForStatus(step, table)
    default:
      return operate(step, table)
  }
}
