import type { RecordedEvent } from '@tallystick/core'
import { orderSteps } from '@tallystick/core/internal'
import { type Act, type RecordedOrder, readOrder } from './recorded-acts.ts'
import { answerOf, cardOf, MASKED, numberLike, numberOf } from './recorded-card.ts'
import { type EventOf, fieldsOf } from './recorded-fields.ts'
import type { WireNames } from './wire-names.ts'

export type Runner = 'vitest' | 'jest' | 'node:test'

export interface ExportOptions {
  readonly runner: Runner
  readonly names: WireNames
}

/**
 * A test that does with a shop what was recorded of an order, and expects that the same happens: the shop's calls with test cards in
 * place of the masked ones, the customer on the pages, the faults, the time, and the callbacks to the shop.
 *
 * @param recorded of all orders: a fault of the next request has no order
 * @returns `undefined` if the recording has no such order
 */
export function exportedTest(
  recorded: readonly RecordedEvent[],
  orderId: string,
  { runner, names }: ExportOptions,
): string | undefined {
  const order = readOrder(recorded, orderId)
  if (order === undefined) return undefined
  const { clientOrderId, acts, events, startAt } = order
  const writer = new TestWriter(order, names)
  for (const act of acts) writer.act(act)
  writer.end()
  const steps = orderSteps(events, orderId, clientOrderId)
  const { open, close, imports, equals } = RUNNERS[runner]
  const title = `${clientOrderId}: ${steps.states.at(-1) ?? 'nothing came of it'}`
  const used = ['calledBack', 'cards', 'fakeClock', 'orderSteps', 'startGateway'].filter(
    (name) => ALWAYS.has(name) || writer.lines.some((line) => line.includes(name)),
  )
  return [
    ...(imports === '' ? [] : [imports]),
    `import { ${used.join(', ')} } from '@tallystick/testing'`,
    '',
    `// Recorded at ${timeOf(startAt)}.`,
    ...NOTES,
    ...order.notReplayed.map((sentence) => `// Not replayed: ${oneLine(sentence)}`),
    ...open(title),
    ...indented([
      'const gateway = await startGateway({',
      `  clock: fakeClock(${text(timeOf(startAt))}),`,
      '  // Of the shop, which verifies the callbacks.',
      '  controlKey: process.env.TALLYSTICK_CONTROL_KEY,',
      '})',
      close,
      'const client = gateway.client()',
      ...writer.lines,
      ...equals(`await orderSteps(gateway, ${text(clientOrderId)})`, lines(steps)),
    ]),
    '})',
    '',
  ].join('\n')
}

const ALWAYS: ReadonlySet<string> = new Set(['fakeClock', 'orderSteps', 'startGateway'])

const NOTES = [
  '// Run it while your shop runs: the callbacks go to the address that it gave then. Or start your shop here, with gateway.merchant,',
  '// and name its address.',
]

const RUNNERS: Readonly<
  Record<
    Runner,
    {
      readonly imports: string
      readonly open: (title: string) => readonly string[]
      readonly close: string
      readonly equals: (actual: string, expected: readonly string[]) => readonly string[]
    }
  >
> = {
  vitest: {
    imports: "import { expect, onTestFinished, test } from 'vitest'",
    open: (title) => [`test(${text(title)}, async () => {`],
    close: 'onTestFinished(() => gateway.close())',
    equals: (actual, expected) => around(`expect(${actual}).toEqual(`, expected, ')'),
  },
  jest: {
    imports: '',
    open: (title) => [
      'let close = async () => {}',
      'afterEach(() => close())',
      '',
      `test(${text(title)}, async () => {`,
    ],
    close: 'close = () => gateway.close()',
    equals: (actual, expected) => around(`expect(${actual}).toEqual(`, expected, ')'),
  },
  'node:test': {
    imports: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'",
    open: (title) => [`test(${text(title)}, async (context) => {`],
    close: 'context.after(() => gateway.close())',
    equals: (actual, expected) => around(`assert.deepEqual(${actual}, `, expected, ')'),
  },
}

function around(before: string, inner: readonly string[], after: string): readonly string[] {
  const [first = '', ...rest] = inner
  if (rest.length === 0) return [before + first + after]
  const last = rest.pop() ?? ''
  return [before + first, ...rest, last + after]
}

/** A gap that is shorter changes nothing. */
const SHORTEST_GAP_MS = 60_000

class TestWriter {
  readonly lines: string[] = []
  readonly #order: RecordedOrder
  readonly #names: WireNames
  #seen = 0
  #now: number
  #knowsOrder = false
  #hasBegun = false
  #hasTime = false
  #calls = 0

  constructor(order: RecordedOrder, names: WireNames) {
    this.#order = order
    this.#names = names
    this.#now = order.startAt
  }

  act(act: Act): void {
    if (act.kind === 'fault') {
      this.#fault(act)
      return
    }
    this.#until(act.id, act.at)
    if (act.kind === 'call') this.#call(act)
    if (act.kind === 'pages') this.#pages()
    if (act.kind === 'resend') {
      this.#needOrder()
      this.lines.push('await gateway.resendCallbacks(orderId)')
    }
    if (act.kind === 'chargeback') {
      this.#needOrder()
      this.lines.push(`await gateway.chargeback(orderId, ${text(act.amount)})`)
    }
  }

  /** Comes to the last event. */
  end(): void {
    const last = this.#order.events.at(-1)
    if (last !== undefined) this.#until(last.id + 1, last.at)
    if (this.lines.at(-1) !== 'await gateway.settled()') this.lines.push('await gateway.settled()')
  }

  /** Waits for what happened by itself before an event, and for its time. */
  #until(id: number, at: number): void {
    const { events, clientOrderId } = this.#order
    const between = events.filter((event) => event.id > this.#seen && event.id < id)
    const isLate = (event: RecordedEvent) => event.at > this.#now + 1_000
    this.#seen = id
    if (between.some(({ type }) => type === 'state' || type === 'callback')) this.lines.push('await gateway.settled()')
    const callbacks = between.filter((event) => event.type === 'callback' && event.answer !== '')
    const late = callbacks.find((event) => isLate(event) || (event.type === 'callback' && event.attempts > 1))
    if (late !== undefined) {
      // Before it there is nothing to call back for, as until a form expires.
      const cause = between.findLast((event) => event.type === 'state' && isLate(event) && event.id < late.id)
      if (cause !== undefined) this.#advance(cause.at)
      const attempts = events.filter(
        (event) => event.type === 'callback' && event.answer !== '' && event.id < id,
      ).length
      this.lines.push(`await calledBack(gateway, ${text(clientOrderId)}, ${attempts})`)
    }
    const lateChange = between.findLast((event) => event.type === 'state' && isLate(event))
    const goal = at - this.#now >= SHORTEST_GAP_MS ? at : (lateChange?.at ?? 0)
    const isRetry = callbacks.at(-1)?.at === goal
    if (!isRetry) this.#advance(goal)
    this.#now = Math.max(this.#now, at)
  }

  #advance(goal: number): void {
    if (goal <= this.#now) return
    if (!this.#hasTime) {
      this.lines.push(
        "const until = (time = '') => gateway.clock.advance(Math.max(0, Date.parse(time) - gateway.clock.now()))",
      )
      this.#hasTime = true
    }
    this.lines.push(`await until(${text(timeOf(goal))})`, 'await gateway.settled()')
  }

  #fault({ fault, operation }: Extract<Act, { kind: 'fault' }>): void {
    const { clientOrderId } = this.#order
    this.lines.push(
      operation === undefined
        ? `gateway.faults.forOrder(${text(clientOrderId)}, ${text(fault)})`
        : `gateway.faults.next(${text(operation)}, ${text(fault)})`,
    )
  }

  #call({ request, reply }: Extract<Act, { kind: 'call' }>): void {
    const { operation = '' } = reply
    const input = this.#input(request, this.#hasBegun)
    const isOpening = !this.#hasBegun
    this.#hasBegun = true
    if (input.needsOrder) this.#needOrder()
    const name = isOpening ? 'opened' : `answered${++this.#calls}`
    if (isOpening) {
      this.lines.push(
        '// Yours to change: what begins the order in your shop, such as a request to its checkout. As it stands, a client calls.',
        ...around('const order = ', input.lines, ''),
      )
    }
    const call = isOpening ? [`client.${operation}(order)`] : around(`client.${operation}(`, input.lines, ')')
    if (reply.fault === 'slow-reply') {
      this.lines.push(...around(`const ${name} = `, call, ''), "await gateway.clock.advance('10s')", `await ${name}`)
    } else if (isOpening && this.#order.acts.some(({ kind }) => kind === 'pages')) {
      this.lines.push(...around('const opened = await ', call, ''))
    } else {
      this.lines.push(...around('await ', call, ''))
    }
  }

  #pages(): void {
    const { events } = this.#order
    const pay = `gateway.payOnPages(opened.reply.redirectUrl, cards.${cardOf(events)}, ${text(answerOf(events))})`
    const lastPage = events.findLast(({ type }) => type === 'page')?.id ?? 0
    const state = events.findLast((event) => event.type === 'state' && event.id < lastPage)
    if (state?.type === 'state' && state.status === 'unknown')
      this.lines.push(
        '// Nothing is decided yet: the last page says to wait, and leads nowhere.',
        `await ${pay}.catch(() => {})`,
      )
    else this.lines.push(`await ${pay}`)
  }

  #needOrder(): void {
    if (this.#knowsOrder) return
    this.#knowsOrder = true
    this.lines.push(`const { orderId } = await gateway.order(${text(this.#order.clientOrderId)})`)
  }

  /** The input of the client's method, as lines. */
  #input({ form }: EventOf<'request'>, isLater: boolean) {
    const { models, flags } = this.#names
    const card = cardOf(this.#order.events)
    const fields = fieldsOf(form)
    const values: string[] = []
    const extra: string[] = []
    // All of the card, or its number alone.
    const isWhole =
      fields.some(([name]) => models[name] === 'cvv2') && fields.some(([name]) => models[name] === 'cardNumber')
    if (isWhole) values.push(`...cards.${card}`)
    let needsOrder = false
    for (const [wireName, value] of fields) {
      const name = models[wireName]
      if (OF_CLIENT.has(wireName) || wireName.startsWith('oauth_')) continue
      if (name === undefined) extra.push(`${text(wireName)}: ${text(value)}`)
      else if (name === 'orderId' && isLater) {
        needsOrder = true
        values.push('orderId')
      } else if (name === 'cvv2') {
        if (!isWhole) values.push(`cvv2: cards.${card}.cvv2`)
      } else if (flags.includes(name)) values.push(`${name}: ${value === 'true'}`)
      else {
        const known = MASKED.test(value) ? numberLike(value) : value
        const usual = name === 'cardNumber' ? numberOf(card) : USUAL_CARD[name]
        if (!isWhole || known !== usual) values.push(`${name}: ${text(known)}`)
      }
    }
    if (extra.length > 0) values.push(`extra: { ${extra.join(', ')} }`)
    return { needsOrder, lines: ['{', ...values.map((value) => `  ${value},`), '}'] }
  }
}

/** What a client adds by itself. */
const OF_CLIENT: ReadonlySet<string> = new Set(['login', 'control', 'endpointid'])

/** Of each of the test cards. */
const USUAL_CARD: Readonly<Record<string, string>> = {
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2039',
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

/** A comment must not end before its line does: a name in it may be anybody's. */
function oneLine(sentence: string): string {
  return sentence.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}

/** A text as a literal. What is in it may be anybody's. */
function text(value: string): string {
  const escaped = value.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `'${escaped}'`
}

/** Lists of texts as a literal. */
function lines(steps: ReturnType<typeof orderSteps>): readonly string[] {
  const lists = Object.entries(steps).map(([name, list]: readonly [string, readonly string[]]) => {
    return list.length === 0 ? [`  ${name}: [],`] : [`  ${name}: [`, ...list.map((one) => `    ${text(one)},`), '  ],']
  })
  return ['{', ...lists.flat(), '}']
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}
