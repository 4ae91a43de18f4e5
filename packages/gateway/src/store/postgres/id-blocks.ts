import type { Step } from './transaction.ts'

/** How many numbers a node takes at once. Part of the schema, so it never changes. */
export const SEQ_BLOCK = 256

/**
 * The numbers of new rows of orders. A node takes a block of them from the server, so that rows which refer to an order can
 * be sent together with it. What is left of a block at the end is never used.
 */
export interface SeqBlocks {
  /** Makes sure that `count` numbers can be taken. */
  reserve(count: number): Step<void>
  take(): number
}

export function seqBlocks(schema: string): SeqBlocks {
  const next = { name: 'next_seqs', text: `SELECT nextval('${schema}.order_seqs') AS first` }
  const blocks: { at: number; readonly end: number }[] = []
  const left = () => blocks.reduce((sum, { at, end }) => sum + end - at, 0)
  return {
    *reserve(count) {
      while (left() < count) {
        const [answer] = yield [next]
        const first = Number(answer?.rows[0]?.['first'])
        blocks.push({ at: first, end: first + SEQ_BLOCK })
      }
    },
    take: () => {
      while (blocks[0] !== undefined && blocks[0].at === blocks[0].end) blocks.shift()
      const [block] = blocks
      if (block === undefined) throw new RangeError('No number was reserved')
      block.at += 1
      return block.at - 1
    },
  }
}
