import type { OperationKey } from '@tallystick/core'
import type { RequestValues } from '@tallystick/core/internal'
import { fieldsOf } from '../fixtures/reply-values.ts'
import { requireOperation, requireTexts } from '../options/check-fields.ts'
import { type Scripted, willBeVerified } from '../unused-scripts.ts'
import type { Answer, ScriptedAnswer } from './answers.ts'

/** A call of the fake client, as its gateway would have read it. */
export type FakeCall = {
  readonly [K in OperationKey]: { readonly operation: K; readonly request: RequestValues<K> }
}[OperationKey]

/** Answers by their operation. */
type Answers = { [K in OperationKey]?: ScriptedAnswer<K>[] }

/** What a test scripted, and what became of it. */
export class Script implements Scripted {
  readonly #once: Answers = {}
  readonly #always: { [K in OperationKey]?: { readonly answer: ScriptedAnswer<K>; isUsed: boolean } } = {}
  readonly #missing: string[] = []

  add<K extends OperationKey>(key: K, answers: readonly ScriptedAnswer<K>[]): void {
    requireOperation('fakeClient.answer', key)
    requireAnswers('fakeClient.answer', key, answers)
    willBeVerified(this)
    const waiting: ScriptedAnswer<K>[] = this.#once[key] ?? []
    this.#once[key] = [...waiting, ...answers] as Answers[K]
  }

  addStanding<K extends OperationKey>(key: K, answer: ScriptedAnswer<K>): void {
    requireOperation('fakeClient.always', key)
    requireAnswers('fakeClient.always', key, [answer])
    willBeVerified(this)
    Object.assign(this.#always, { [key]: { answer, isUsed: false } })
  }

  /** @throws TypeError if a function returns no answer to this operation; whatever else it throws */
  take<K extends OperationKey>(key: K, request: RequestValues<K>): Answer<K> | undefined {
    const scripted: ScriptedAnswer<K> | undefined = this.#once[key]?.shift() ?? this.#standing(key)
    if (typeof scripted !== 'function') return scripted
    const answer = scripted(request)
    requireAnswer('fakeClient: a function that answers', key, answer)
    return answer
  }

  #standing<K extends OperationKey>(key: K): ScriptedAnswer<K> | undefined {
    const standing = this.#always[key]
    if (standing !== undefined) standing.isUsed = true
    return standing?.answer
  }

  noteMissing(key: OperationKey): void {
    willBeVerified(this)
    this.#missing.push(`fakeClient: ${key} was called without an answer`)
  }

  /** What was not used and what was missing. Forgets it, so that it is reported once. */
  leftovers(): readonly string[] {
    const once = Object.entries(this.#once).flatMap(([key, answers]) =>
      answers.splice(0).map((answer) => `fakeClient: answer('${key}', ${written(answer)}) was not used`),
    )
    const standing = Object.entries(this.#always).flatMap(([key, { answer, isUsed }]) =>
      isUsed ? [] : `fakeClient: always('${key}', ${written(answer)}) was not used`,
    )
    return [...this.#missing.splice(0), ...once, ...standing]
  }
}

function written(answer: Answer<OperationKey> | ((request: never) => unknown)): string {
  return typeof answer === 'function' ? 'a function' : `${answer.answers}()`
}

const KINDS: ReadonlySet<unknown> = new Set<Answer<OperationKey>['answers']>([
  'accepted',
  'rejected',
  'signatureRefused',
  'gatewayFailed',
  'unknown',
  'notSent',
])

/** @throws TypeError if there is none, or one is neither an answer to this operation nor a function */
function requireAnswers(where: string, key: OperationKey, answers: readonly unknown[]): void {
  if (answers.length === 0) throw new TypeError(`${where}: ${WANTED}, or a function that does`)
  for (const one of answers) if (typeof one !== 'function') requireAnswer(where, key, one, ', or a function that does')
}

/** @throws TypeError if it is no answer to this operation */
function requireAnswer(where: string, key: OperationKey, one: unknown, orElse = ''): void {
  if (typeof one !== 'object' || one === null || !('answers' in one) || !KINDS.has(one.answers)) {
    throw new TypeError(`${where}: ${WANTED}${orElse}`)
  }
  if ('reply' in one) requireTexts(`${where}('${key}', accepted())`, one.reply, fieldsOf(key))
}

const WANTED = 'give what accepted(), rejected() or the like returns'
