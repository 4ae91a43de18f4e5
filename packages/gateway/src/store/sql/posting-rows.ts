import type { Posting } from '../../ledger/postings.ts'
import type { Readers } from './readers.ts'

/** The operation that a posting belongs to. */
export interface PostingOperation {
  readonly seq: number
  readonly position: number
}

export interface PostingInsert extends PostingOperation {
  readonly posting: Posting
}

export const POSTING_INSERT = {
  order_seq: ({ seq }) => seq,
  position: ({ position }) => position,
  account: ({ posting }) => posting.account,
  amount: ({ posting }) => posting.amount,
  currency: ({ posting }) => posting.currency,
  at: ({ posting }) => posting.at,
} satisfies Readers<PostingInsert>
