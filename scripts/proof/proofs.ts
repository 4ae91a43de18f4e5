/** What is known of a proof without running it. */
export interface Listed {
  readonly file: string
  /** What it shows, in a line. */
  readonly shows: string
  /** It measures time or uses all cores, so nothing runs at the same time as its quick form. */
  readonly isAlone?: boolean
  /** It downloads a lot or takes long even in its quick form, so it only runs by its name or with all long forms. */
  readonly isLarge?: boolean
}

export const PROOFS: Readonly<Record<string, Listed>> = {
  histories: {
    file: 'packages/core/proofs/histories.ts',
    shows: 'random histories of orders: no over-capture, no over-refund, no change of a final status',
  },
  differential: {
    file: 'packages/signing/proofs/differential.ts',
    shows: "random requests are signed as Python's oauthlib signs them",
  },
  forgery: {
    file: 'packages/signing/proofs/forgery.ts',
    shows: 'no mutated request is accepted',
  },
  'fuzz-signing': {
    file: 'packages/signing/proofs/fuzz-signing.ts',
    shows: 'the readers of headers, forms and addresses only throw their own errors and never hang',
    isAlone: true,
  },
  'fuzz-core': {
    file: 'packages/core/proofs/fuzz-core.ts',
    shows: 'the readers of forms, replies, callbacks and amounts only throw their own errors and never hang',
    isAlone: true,
  },
  'boundary-shifts': {
    file: 'packages/e2e/proofs/boundary-shifts.ts',
    shows: 'a control whose text is split differently moves no other money',
  },
  kill9: {
    file: 'packages/e2e/proofs/kill9.ts',
    shows: 'killed at any moment, the gateway neither loses nor doubles an acknowledged order',
  },
  'one-process': {
    file: 'packages/e2e/proofs/one-process.ts',
    shows: 'a second process on the same database is refused, but not once the first has ended',
  },
  'failing-statements': {
    file: 'packages/e2e/proofs/failing-statements.ts',
    shows: 'whichever database statement fails, no order is lost, doubled or half done',
  },
  'ended-connections': {
    file: 'packages/e2e/proofs/ended-connections.ts',
    shows: 'wherever a connection to PostgreSQL ends, no error of it goes uncaught',
  },
  recurring: {
    file: 'packages/e2e/proofs/recurring.ts',
    shows: 'ten years of schedules: no charge missed or doubled, whatever happens to the process, disk and clock',
  },
  'lost-replies': {
    file: 'packages/e2e/proofs/lost-replies.ts',
    shows: 'an exchange cut at any byte is resolved by status checks, or reviewed, and nothing is sent twice',
  },
  hostile: {
    file: 'packages/e2e/proofs/hostile.ts',
    shows: 'whatever a hostile gateway sends, a call ends by its deadline and memory stays bounded',
    isAlone: true,
  },
  'gateway-histories': {
    file: 'packages/e2e/proofs/gateway-histories.ts',
    shows: 'random histories through the whole gateway match those on paper, in memory and in SQLite',
  },
  model: {
    file: 'packages/e2e/proofs/model.ts',
    shows: 'in every way that a payment can go, the journal charges once and knows it; naive shops do not',
  },
  sim: {
    file: 'packages/e2e/proofs/sim.ts',
    shows: 'shop, network, gateway and bank simulated from a seed: nothing is charged twice, lost or misjudged',
    isAlone: true,
  },
  'shop-kill9': {
    file: 'packages/e2e/proofs/shop-kill9.ts',
    shows: 'killed at any moment, the shop ends every payment correctly, and its handler takes effect once',
  },
  'lost-journal': {
    file: 'packages/e2e/proofs/lost-journal.ts',
    shows: 'whatever becomes of the tables of a journal, no paid key is charged again, and no refund made again',
  },
  'callback-copies': {
    file: 'packages/e2e/proofs/callback-copies.ts',
    shows: 'a thousand copies of a callback over four processes take effect once',
  },
  nodes: {
    file: 'packages/e2e/proofs/nodes.ts',
    shows: 'three gateways and two shops on one PostgreSQL, all killed at random: each order and effect once',
    isAlone: true,
  },
  runtimes: {
    file: 'packages/e2e/proofs/runtimes.ts',
    shows: 'on Bun, Deno and workerd too, nothing is sent twice or wrongly called not sent (downloads 150 MB)',
    isLarge: true,
  },
  'mutation-core': {
    file: 'packages/core/proofs/mutation-core.ts',
    shows: 'a change to the code of money, codecs, states or redaction fails a test',
    isAlone: true,
  },
  'mutation-signing': {
    file: 'packages/signing/proofs/mutation-signing.ts',
    shows: 'a change to the code that signs, verifies, explains or guards against replays fails a test',
    isAlone: true,
  },
}
