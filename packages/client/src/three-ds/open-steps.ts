import { comparableMessage } from '@tallystick/core'
import type { StepState } from './state.ts'
import type { AwaitedStep } from './step.ts'

/**
 * The steps that this process has shown and whose results have not come: the second way to find the payment, if the issuer or a
 * firewall has changed or dropped the state. A result belongs to the step whose transaction it names, so a forged or foreign one
 * finds nothing. A step whose CReq names no transaction is found only while it is the only one.
 */
export interface OpenSteps {
  opened(step: AwaitedStep, state: StepState): void
  closed(state: StepState): void
  find(fields: ReadonlyMap<string, string>): StepState | undefined
}

interface OpenStep {
  readonly state: StepState
  /** The id of the 3DS transaction or the MD, comparable. Empty: the step names none. */
  readonly name: string
  readonly since: number
}

const MOST = 10_000
const LONGEST_MS = 3_600_000

export function openSteps(now: () => number): OpenSteps {
  const open = new Map<string, OpenStep>()
  const recent = (step: OpenStep['state']['step']) => {
    const from = now() - LONGEST_MS
    return [...open.values()].filter(({ state, since }) => state.step === step && since >= from)
  }
  return {
    opened: (step, state) => {
      const name = nameOf(step)
      if (name === undefined) return
      open.delete(state.orderId)
      open.set(state.orderId, { state, name, since: now() })
      const [oldest] = open.keys()
      if (open.size > MOST && oldest !== undefined) open.delete(oldest)
    },
    closed: ({ orderId }) => {
      open.delete(orderId)
    },
    find: (fields) => {
      const cRes = fields.get('cres')
      if (cRes !== undefined) return onlyOne(recent('challenge'), transactionIn(cRes))
      const md = fields.get('md')
      return fields.has('pares') ? onlyOne(recent('pareq'), md && comparableMessage(md)) : undefined
    },
  }
}

function onlyOne(steps: readonly OpenStep[], name: string | undefined): StepState | undefined {
  if (!name) return undefined
  const named = steps.filter((step) => step.name === name)
  const meant = named.length > 0 ? named : steps
  const [one] = meant
  return meant.length === 1 && one && (one.name === name || one.name === '') ? one.state : undefined
}

/** `undefined`: the result of this step cannot be found so. */
function nameOf(step: AwaitedStep): string | undefined {
  switch (step.step) {
    case 'challenge':
      return transactionIn(step.creq) ?? ''
    case 'pareq':
      return step.md === '' ? undefined : comparableMessage(step.md)
    case 'method':
    case 'redirect':
      return undefined
  }
}

const TRANSACTION = /"threeDSServerTransID"\s*:\s*"([\da-f-]{36})"/i

/** The transaction that a message names. */
function transactionIn(message: string): string | undefined {
  return TRANSACTION.exec(Buffer.from(message, 'base64').toString())?.[1]?.toLowerCase()
}
