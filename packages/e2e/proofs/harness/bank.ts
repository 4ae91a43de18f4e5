import type { Acquirer, AuthenticationRequest, Decision, OperationRequest } from '@tallystick/gateway'
import type { Random } from '@tallystick/proof-kit'

/** What a bank did, or was asked for and did not do. */
export type Entry = Action | Refusal

/** Something that the bank carried out, written before it answers. */
export interface Action extends Pick<OperationRequest, 'reference' | 'orderId' | 'kind' | 'amount' | 'currency'> {
  readonly did: 'execute' | 'authenticate'
  readonly decision: Decision
}

/**
 * `deny`: the bank answered that it had not carried this out, and from then on it never does. `repeat`: it was asked to carry out
 * the same again. `too late`: it was asked to carry out what it had denied.
 */
export interface Refusal {
  readonly did: 'deny' | 'repeat' | 'too late'
  readonly reference: string
}

/** The last action of the bank for each operation, by its reference. */
export type Actions = ReadonlyMap<string, Action>

export function actionsIn(journal: readonly Entry[]): Actions {
  return new Map(journal.flatMap((entry) => ('decision' in entry ? [[entry.reference, entry] as const] : [])))
}

/** The part of an acquirer that is called over a network. The gateway's side takes the card. */
export type Bank = Omit<Acquirer, 'tokenize'>

export interface BankOptions {
  /** Where it writes its actions. What is in there already counts as done. */
  readonly journal: Entry[]
  readonly random: Random
  /** The time that passes before it does something, and before it answers. Default: none. */
  readonly pause?: () => Promise<void>
  readonly troubles?: Troubles
}

export interface Troubles {
  /** The call fails, and nothing is carried out. */
  readonly notReached: number
  /** The call is carried out, and the answer is lost. */
  readonly answerLost: number
  readonly declined: number
}

const NO_TROUBLES: Troubles = { notReached: 0, answerLost: 0, declined: 0 }

/**
 * A bank with books of its own. It outlives the gateway: the books show whether something was sent to it twice, and have what a
 * gateway looks up after a crash.
 */
export function bank({ journal, random, pause = async () => {}, troubles = NO_TROUBLES }: BankOptions): Bank {
  const actions = actionsIn(journal)
  const asked = new Set([...actions.values()].map(({ did, reference }) => `${did} ${reference}`))
  const denied = new Set(journal.filter(({ did }) => did === 'deny').map(({ reference }) => reference))
  const outcomes = new Map([...actions].map(([reference, { decision }]) => [reference, decision]))

  /** Every call counts, even one that comes to nothing: a gateway makes each once. */
  function admit(did: Action['did'], { reference }: OperationRequest): void {
    const call = `${did} ${reference}`
    if (asked.has(call)) journal.push({ did: 'repeat', reference })
    if (denied.has(reference)) journal.push({ did: 'too late', reference })
    asked.add(call)
  }

  async function act(did: Action['did'], instruction: OperationRequest, decision: Decision): Promise<Decision> {
    const { reference, orderId, kind, amount, currency } = instruction
    const luck = random.below(100)
    admit(did, instruction)
    await pause()
    if (luck < troubles.notReached || denied.has(reference)) throw new Error('The bank was not reached')
    journal.push({ did, reference, orderId, kind, amount, currency, decision })
    outcomes.set(reference, decision)
    await pause()
    if (luck < troubles.notReached + troubles.answerLost) throw new Error("The bank's answer was lost")
    return decision
  }

  return {
    execute: (instruction) => {
      const awaits = awaitedStep(instruction)
      if (awaits !== undefined) return act('execute', instruction, { status: 'processing', awaits })
      return act('execute', instruction, random.below(100) < troubles.declined ? DECLINED : approved(instruction))
    },
    authenticate: (instruction) => act('authenticate', instruction, approved(instruction)),
    lookup: async ({ reference }) => {
      await pause()
      const decision = outcomes.get(reference)
      if (decision === undefined) {
        denied.add(reference)
        journal.push({ did: 'deny', reference })
      }
      return decision
    },
  }
}

type Step = AuthenticationRequest['step']

/** The CVVs that ask for 3DS, and the step that each begins with. */
const STEPS: Readonly<Record<string, Step>> = { '321': 'challenge', '322': 'pareq', '323': 'method' }

/** What the browser would be asked to do; nobody does it. */
const REQUESTS: { readonly [S in Step]: AuthenticationRequest & { readonly step: S } } = {
  challenge: { step: 'challenge', acsUrl: 'https://acs.example.com/', creq: 'e30', threeDsSessionData: 'session' },
  pareq: { step: 'pareq', acsUrl: 'https://acs.example.com/', paReq: 'eJwDAAAAAAE=', md: 'session' },
  method: { step: 'method', threeDsServerTransId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e' },
}

/** The gateway's side of the bank: the card becomes a text that reveals nothing but the 3DS step. */
export function tokenizeCards(random: Random): Acquirer['tokenize'] {
  return async ({ card }) => {
    const word = STEPS[card?.cvv?.reveal() ?? ''] ?? 'card'
    return { reference: `${word}-${random.text(16, 'abcdefghijklmnop')}`, authenticates: word !== 'card' }
  }
}

function awaitedStep({ kind, token }: OperationRequest): AuthenticationRequest | undefined {
  const opens = kind === 'sale' || kind === 'preauth'
  return opens ? Object.values(REQUESTS).find(({ step }) => token.startsWith(`${step}-`)) : undefined
}

const DECLINED: Decision = { status: 'declined', errorCode: '100', errorMessage: 'Do not honour' }

function approved({ reference }: OperationRequest): Decision {
  return { status: 'approved', approvalCode: '123456', processorTxId: `tx-${reference}` }
}
