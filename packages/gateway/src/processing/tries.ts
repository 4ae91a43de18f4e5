import type { Service, Tried, Tries } from '../context.ts'
import type { LimitListener } from '../http/concurrency-limit.ts'
import type { GatewayOptions } from '../options.ts'
import type { Clock } from '../runtime/clock.ts'

interface MostTries {
  readonly perCard: number
  readonly perAddress: number
}

/** Ten tries an hour find one CVV of three digits in some days, and a customer who has typed ten wrong ones gives up. */
const MOST_PER_CARD = 10
/**
 * Offices and carriers hide many customers behind one address. If one payment in six is declined, 600 customers pay one merchant
 * from it within an hour before it is shut out.
 */
const MOST_PER_ADDRESS = 100
/** In tests the same card is tried again and again, from one machine. */
export function mostTries({ maxTriesPerCard, maxTriesPerAddress, sandbox, acquirer }: GatewayOptions): MostTries {
  const isForTests = sandbox === true || acquirer === undefined || acquirer.isSimulated === true
  const { perCard, perAddress } = isForTests ? UNLIMITED : DEFAULT_TRIES
  return { perCard: maxTriesPerCard ?? perCard, perAddress: maxTriesPerAddress ?? perAddress }
}

const UNLIMITED: MostTries = { perCard: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY }

const DEFAULT_TRIES: MostTries = { perCard: MOST_PER_CARD, perAddress: MOST_PER_ADDRESS }

const WINDOW_MS = 3_600_000
/** Of cards, and of addresses. The oldest are forgotten first. */
const MOST_KNOWN = 100_000

interface RequestOfTries {
  readonly service: Pick<Service, 'tries' | 'underWay'>
  readonly merchant: { readonly login: string }
  readonly serialNumber: string
}

interface RequestUnderWay {
  /** A refused try throws if it is not alone. */
  readonly takeTry: Tries['take']
  /** @throws Error if another request of the same client order id is under way */
  requireAlone(): void
  end(isRepeat: boolean): void
}

/**
 * A request and its tries, until it ends. A repeat of one that was carried out is no try: its merchant learns nothing by it. One that
 * is refused while another of its client order id is under way must not say that nothing was created: the other may.
 *
 * @param clientOrderId `undefined`: it creates nothing
 */
export function requestUnderWay(
  clientOrderId: string | undefined,
  { service: { tries, underWay }, merchant, serialNumber }: RequestOfTries,
): RequestUnderWay {
  // Unlike texts with a space between them, none of these is the beginning of another.
  const named = JSON.stringify([merchant.login, clientOrderId])
  const own = named + serialNumber
  let taken: Tried | undefined
  if (clientOrderId !== undefined) underWay.add(own)
  function requireAlone(): void {
    if ([...underWay].some((each) => each !== own && each.startsWith(named)))
      throw new Error('A request was refused while another of its client order id was under way')
  }
  return {
    requireAlone,
    takeTry: (tried) => {
      const tooOften = tries.take(tried)
      if (tooOften === undefined) taken = tried
      else requireAlone()
      return tooOften
    },
    end: (isRepeat) => {
      underWay.delete(own)
      if (isRepeat && taken !== undefined) tries.approved(taken.login, taken.fingerprint)
    },
  }
}

interface TriesOptions {
  readonly clock: Clock
  readonly most: MostTries
  readonly onLimit: LimitListener
}

/**
 * Per merchant, since one must not be able to block the customers of another. Only this process knows: on several, a card or an
 * address has as many tries on each, and a new process knows of none.
 */
export function tries({ clock, most, onLimit }: TriesOptions): Tries {
  const cards = slidingWindow(most.perCard)
  const addresses = slidingWindow(most.perAddress)
  const isLimited = most.perCard !== Number.POSITIVE_INFINITY || most.perAddress !== Number.POSITIVE_INFINITY
  return {
    isLimited,
    take: ({ login, fingerprint, from }) => {
      if (!isLimited) return undefined
      const now = clock.now()
      const [card, address] = [`${login} ${fingerprint}`, from && `${login} ${from}`]
      const wait = cards.waitMs(card, now)
      const waitOfAddress = address === undefined ? undefined : addresses.waitMs(address, now)
      if (wait !== undefined || waitOfAddress !== undefined) {
        const limit = wait === undefined ? 'tries-per-address' : 'tries-per-card'
        onLimit({ limit, login, ...(limit === 'tries-per-address' ? { peer: from } : {}) })
        return { limit, afterSeconds: Math.ceil(Math.max(wait ?? 0, waitOfAddress ?? 0) / 1000) }
      }
      cards.note(card, { at: now, from: address })
      if (address !== undefined) addresses.note(address, { at: now })
      return undefined
    },
    approved: (login, fingerprint) => {
      const from = cards.forgetLatest(`${login} ${fingerprint}`)?.from
      if (from !== undefined) addresses.forgetLatest(from)
    },
  }
}

interface Try {
  readonly at: number
  /** The name of its address. */
  readonly from?: string | undefined
}

function slidingWindow(most: number) {
  const known = new Map<string, readonly Try[]>()
  // What lies ahead was noted before the clock was set back.
  const within = (name: string, now: number) =>
    (known.get(name) ?? []).filter(({ at }) => at > now - WINDOW_MS && at <= now)
  return {
    /** How long until another try is allowed. `undefined`: it is allowed now. */
    waitMs: (name: string, now: number): number | undefined => {
      const tried = within(name, now)
      const { at: oldest } = tried[0] ?? { at: now }
      return tried.length >= most ? oldest + WINDOW_MS - now : undefined
    },
    note: (name: string, tried: Try): void => {
      const before = within(name, tried.at)
      known.delete(name)
      known.set(name, [...before, tried])
      const [first] = known.keys()
      if (known.size > MOST_KNOWN && first !== undefined) known.delete(first)
    },
    forgetLatest: (name: string): Try | undefined => {
      const tried = known.get(name) ?? []
      if (tried.length <= 1) known.delete(name)
      else known.set(name, tried.slice(0, -1))
      return tried.at(-1)
    },
  }
}
