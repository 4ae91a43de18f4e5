/**
 * Sequence diagrams of payments, drawn from what the gateway recorded when they were made: no arrow was written by hand. Times and ids
 * are left out, so that the same code draws the same pictures.
 */
import { parseForm, type RecordedEvent } from '../../packages/core/src/index.ts'
import {
  buildInput,
  callbacksTo,
  cards,
  fakeClock,
  passChallenge,
  saleInput,
  serverToServer,
  startGateway,
  type TestGateway,
} from '../../packages/testing/src/index.ts'

const ACTORS = ['browser', 'shop', 'gateway', 'bank'] as const
type Actor = (typeof ACTORS)[number]

/** An arrow from one to another; from one to itself, what became of an order. */
interface Step {
  readonly from: Actor
  readonly to: Actor
  readonly text: string
}

interface Journey {
  /** Of its picture: `refund`. */
  readonly name: string
  readonly title: string
  readonly steps: readonly Step[]
}

type Gateway = TestGateway<ReturnType<typeof fakeClock>>

const SHOP = 'https://shop.example.com'
const CALLED_BACK = { serverCallbackUrl: `${SHOP}/callback`, notifyUrl: `${SHOP}/callback` }
const START = Date.UTC(2027, 0, 31, 12)
const MONEY = { amount: '10.42', currency: 'USD' }

async function sold(gateway: Gateway, card = cards.approved) {
  const sale = saleInput({ ...card, ...MONEY, ...CALLED_BACK })
  const result = await gateway.client().sale(sale)
  if (result.outcome !== 'accepted') throw new Error(`The sale was ${result.outcome}`)
  await gateway.settled()
  return { clientOrderId: sale.clientOrderId, orderId: result.reply.orderId }
}

/** Each is a payment as a shop makes it. */
const JOURNEYS: ReadonlyArray<readonly [name: string, title: string, play: (gateway: Gateway) => Promise<unknown>]> = [
  [
    'form',
    'A payment on the hosted form',
    async (gateway) => {
      const form = buildInput('saleForm', { ...MONEY, ...CALLED_BACK, redirectUrl: `${SHOP}/return` })
      const opened = await gateway.client().saleForm(form)
      if (opened.outcome !== 'accepted') throw new Error(`The form was ${opened.outcome}`)
      await gateway.payOnPages(opened.reply.redirectUrl, cards.approved)
      await gateway.settled()
      await gateway.client().status({ clientOrderId: form.clientOrderId })
    },
  ],
  ['sale', 'A sale, the card typed at the shop', async (gateway) => await gateway.client().status(await sold(gateway))],
  [
    'three-ds',
    'A sale with 3-D Secure',
    async (gateway) => {
      const client = gateway.client()
      const sale = saleInput({ ...cards.threeDsChallenge, ...serverToServer, ...MONEY, ...CALLED_BACK })
      const order = { clientOrderId: sale.clientOrderId }
      await client.sale(sale)
      await gateway.settled()
      const waiting = await client.status(order)
      const { cRes } = await passChallenge(waiting, 'confirms', gateway.fetch)
      await client.uploadCresResult({ ...order, orderId: waiting.orderId ?? '', cRes })
      await gateway.settled()
      await client.status(order)
    },
  ],
  [
    'refund',
    'A refund of half',
    async (gateway) => {
      const order = await sold(gateway)
      await gateway.client().return({ ...order, amount: '5.21', currency: 'USD', comment: 'half of it' })
      await gateway.settled()
      await gateway.client().status(order)
    },
  ],
  [
    'recurring',
    'A schedule, and its first charge',
    async (gateway) => {
      const { cvv2: _, ...card } = cards.approved
      await gateway.client().createRecurringPayment({
        clientOrderId: 'subscription-7',
        recurringCardType: 'SRC',
        ...card,
        ...MONEY,
        period: 'month',
        interval: 1,
        startDate: '2027-02-01',
        serverCallbackUrl: `${SHOP}/callback`,
      })
      await gateway.clock.advance('2d')
      await gateway.settled()
    },
  ],
  [
    'payout',
    'A payout in two steps',
    async (gateway) => {
      const client = gateway.client()
      const order = { clientOrderId: 'payout-1' }
      const to = { accountNumber: 'DE00 EXAMPLE', bankName: 'Bank of Willows' }
      const checked = await client.payoutCheck({ ...order, ...MONEY, ...to })
      if (checked.outcome !== 'accepted') throw new Error(`The check was ${checked.outcome}`)
      await gateway.settled()
      await client.status(order)
      await client.payoutPay({ ...order, orderId: checked.reply.orderId })
      await gateway.settled()
      await client.status(order)
    },
  ],
  [
    'callback-again',
    'A callback that the shop does not take at first',
    async (gateway) => {
      await sold(gateway)
      await gateway.clock.advance('10s')
      await gateway.settled()
    },
  ],
]

/** The page, and the picture of each, by their paths below the root. */
export async function journeyPages(): Promise<ReadonlyMap<string, string>> {
  const all = await played()
  const sections = all.map(({ name, title, steps }) => {
    const lines = steps.map(
      ({ from, to, text }, at) =>
        `${at + 1}. ${from === to ? from : `${from} to ${to}`}: ${text.replaceAll('{', '').replaceAll('}', '')}`,
    )
    return [`## ${title}`, `![${title}: ${steps.length} steps, listed below](${name}.svg)`, lines.join('\n')].join(
      '\n\n',
    )
  })
  const pictures = all.map((journey) => [`docs/journeys/${journey.name}.svg`, drawn(journey)] as const)
  return new Map([['docs/journeys/README.md', `${[INTRODUCTION, ...sections].join('\n\n')}\n`], ...pictures])
}

const INTRODUCTION = `# Journeys

What happens in a payment, step by step: who asks whom, and what is answered. \`pnpm docs:write\` plays each of these at a gateway and
draws what the gateway recorded. The browser is the customer's, the bank is the acquirer. Where nobody else is named, it is what
became of the order.`

const [WIDTH, LINE, TOP, MARGIN] = [220, 34, 60, 110]

/** A sequence diagram as SVG. */
function drawn({ title, steps }: Journey): string {
  const actors = ACTORS.filter((actor) => steps.some(({ from, to }) => actor === from || actor === to))
  const x = (actor: Actor) => MARGIN + actors.indexOf(actor) * WIDTH
  const [width, height] = [2 * MARGIN + (actors.length - 1) * WIDTH, TOP + steps.length * LINE + 20]
  const heads = actors.map(
    (actor) =>
      `<text x="${x(actor)}" y="30" class="actor">${actor}</text><line x1="${x(actor)}" y1="40" x2="${x(actor)}" y2="${height}" class="life"/>`,
  )
  const arrows = steps.map(({ from, to, text }, at) => {
    const y = TOP + (at + 1) * LINE
    if (from === to) return `<text x="${x(from)}" y="${y - 6}" class="state">${escaped(text)}</text>`
    const label = `<text x="${(x(from) + x(to)) / 2}" y="${y - 6}">${escaped(text)}</text>`
    return `<line x1="${x(from)}" y1="${y}" x2="${x(to)}" y2="${y}" class="arrow" marker-end="url(#head)"/>${label}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#1f2937"/></marker>
<rect width="100%" height="100%" fill="#fff"/>
${[...heads, ...arrows].join('\n')}
</svg>
`
}

const STYLE =
  'text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1f2937;paint-order:stroke;stroke:#fff;stroke-width:5px}' +
  '.actor{font-weight:700;font-size:15px}.state{font-weight:700}.life{stroke:#9ca3af;stroke-dasharray:4 4}.arrow{stroke:#1f2937}'

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Plays all of them, each at a gateway of its own. */
async function played(): Promise<readonly Journey[]> {
  const all: Journey[] = []
  for (const [name, title, play] of JOURNEYS) {
    let isAway = name === 'callback-again'
    const answer = () => {
      const status = isAway ? 503 : 200
      isAway = false
      return { status, headers: {}, body: '' }
    }
    const clock = fakeClock(START)
    await using gateway = await startGateway({
      socket: false,
      clock,
      sendCallback: callbacksTo(async () => answer()),
      onCallback: () => {},
    })
    await play(gateway)
    all.push({ name, title, steps: stepsOf([...(gateway.recording?.events() ?? [])]) })
  }
  return all
}

function stepsOf(events: readonly RecordedEvent[]): readonly Step[] {
  const replies = new Map(events.flatMap((event) => (event.type === 'reply' ? [[event.request, event]] : [])))
  return events.flatMap((event): readonly Step[] => {
    switch (event.type) {
      case 'request': {
        const name = replies.get(event.id)?.operation ?? event.path
        return [
          { from: 'shop', to: 'gateway', text: [name, moneyIn(event.form)].filter((part) => part !== '').join(', ') },
        ]
      }
      case 'reply': {
        const { status = '', type = '' } = event.values
        return [{ from: 'gateway', to: 'shop', text: `${event.httpStatus} ${status === '' ? type : status}`.trim() }]
      }
      case 'page': {
        const to = event.sentOnTo === undefined ? (event.shown ?? '') : `to ${event.sentOnTo}`
        return [
          { from: 'browser', to: 'gateway', text: `${event.method} ${event.page}` },
          { from: 'gateway', to: 'browser', text: `${event.httpStatus} ${to}`.trim() },
        ]
      }
      case 'acquirer':
        return [
          { from: 'gateway', to: 'bank', text: `${event.call} ${event.kind} ${event.amount} ${event.currency}` },
          { from: 'bank', to: 'gateway', text: event.answer },
        ]
      case 'three-ds':
        return [
          event.direction === 'to-issuer'
            ? { from: 'gateway', to: 'browser', text: `3-D Secure ${event.step}, for the issuer` }
            : { from: 'browser', to: 'gateway', text: `3-D Secure ${event.step}, from the issuer` },
        ]
      case 'state':
        return [
          {
            from: 'gateway',
            to: 'gateway',
            text: `${event.kind} of ${event.amount} ${event.currency}: ${event.status}`,
          },
        ]
      case 'callback':
        return [
          { from: 'gateway', to: 'shop', text: `callback, try ${event.attempts}` },
          {
            from: 'shop',
            to: 'gateway',
            text: `${event.answer}: ${event.state === 'open' ? 'it comes again' : event.state}`,
          },
        ]
      case 'clock':
        return [{ from: 'gateway', to: 'gateway', text: `${passed(event.byMs)} pass` }]
      default:
        return []
    }
  })
}

function passed(ms: number): string {
  return ms % 86_400_000 === 0 ? `${ms / 86_400_000} days` : `${ms / 1000} seconds`
}

function moneyIn(form = ''): string {
  const { amount = '', currency = '' } = Object.fromEntries(parseForm(form))
  return `${amount} ${currency}`.trim()
}
