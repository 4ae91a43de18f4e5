import { setImmediate } from 'node:timers/promises'

/** The steps that have effects outside a process. Each waits for its turn. */
export interface Turns {
  /** @param touch absent: nothing is known, so its place among all others matters */
  step<Result>(name: string, work: () => Promise<Result>, touch?: Touch): Promise<Result>
}

/** What a step touches, and whose it is. Steps of two processes commute if they touch different things, or only read. */
export interface Touch {
  readonly by: string
  readonly what: string
  readonly isRead: boolean
}

/** Actors that work at the same time, and what must hold afterwards. */
export interface Scene {
  readonly actors: readonly (() => Promise<unknown>)[]
  /** Lets time pass for actors that wait for nothing else. */
  readonly passTime?: () => Promise<unknown>
  /** Says what is wrong. `hasDied`: the processes of the actors died before their work was done, and do not continue. */
  readonly judge: (hasDied: boolean) => Promise<readonly string[]>
}

interface Explored {
  readonly orders: number
  /** Each finding once, with the steps that led to it. */
  readonly findings: readonly string[]
}

/**
 * Plays a scene once for every order in which the steps of its actors can follow each other, and for every point in each order
 * at which all processes can die at once. Of orders that differ in neighbours that commute, one is played; and to die after a
 * read leaves what it leaves before.
 */
export async function everyOrder(begin: (turns: Turns) => Promise<Scene>): Promise<Explored> {
  const findings = new Map<string, string>()
  let orders = 0
  for (let choices: readonly number[] | undefined = []; choices !== undefined; ) {
    const stage = new Stage()
    const scene = await begin(stage)
    const { taken, choicesAt, end } = await stage.play(scene, choices)
    choices = nextChoices(choices, choicesAt)
    if (end === 'known') continue
    orders++
    for (const found of await scene.judge(end === 'death'))
      if (!findings.has(found)) findings.set(found, taken.join(' > '))
  }
  return { orders, findings: [...findings].map(([found, how]) => `${found}: ${how}`) }
}

interface Waiting {
  readonly name: string
  readonly touch: Touch | undefined
  readonly go: () => void
}

const DEATH = { name: 'the processes die' }

/** What could be taken, and what was. */
interface Taken {
  readonly among: readonly Waiting[]
  readonly step: Waiting
}

/** While a scene plays, steps wait for their turn; before and afterwards they run at once. */
class Stage implements Turns {
  #phase: 'open' | 'playing' | 'dead' = 'open'
  readonly #waiting: Waiting[] = []

  step<Result>(name: string, work: () => Promise<Result>, touch?: Touch): Promise<Result> {
    if (this.#phase === 'open') return work()
    return new Promise((resolve, reject) => {
      if (this.#phase === 'playing') this.#waiting.push({ name, touch, go: () => void work().then(resolve, reject) })
    })
  }

  async play({ actors, passTime }: Scene, choices: readonly number[]) {
    this.#phase = 'playing'
    const taken: string[] = []
    const choicesAt: number[] = []
    let haveEnded = false
    const ended = Promise.all(actors.map((actor) => actor())).finally(() => {
      haveEnded = true
    })
    const isAnyWaiting = async () => {
      await quiet()
      while (this.#waiting.length === 0 && !haveEnded && passTime !== undefined) await passTime().then(quiet)
      return this.#waiting.length > 0
    }
    let last: Taken | undefined
    while (await isAnyWaiting()) {
      const among = [...this.#waiting]
      const options = [...among.filter((step) => !isSwapped(step, last)), ...(last?.step.touch?.isRead ? [] : [DEATH])]
      const next = options[choices[taken.length] ?? 0]
      if (next === undefined || !('go' in next)) {
        this.#phase = 'dead'
        if (next === undefined) return { taken, choicesAt, end: 'known' } as const
        return { taken: [...taken, next.name], choicesAt: [...choicesAt, options.length], end: 'death' } as const
      }
      choicesAt.push(options.length)
      taken.push(next.name)
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      last = { among, step: next }
      next.go()
    }
    this.#phase = 'open'
    await ended
    return { taken, choicesAt, end: 'done' } as const
  }
}

/** Whether the step could as well have been taken before the last one, which is another order, and that one is played. */
function isSwapped(step: Waiting, last: Taken | undefined): boolean {
  if (last === undefined || !commute(step.touch, last.step.touch)) return false
  const before = last.among.indexOf(step)
  return before >= 0 && before < last.among.indexOf(last.step)
}

function commute(one: Touch | undefined, other: Touch | undefined): boolean {
  if (one === undefined || other === undefined || one.by === other.by) return false
  return one.what !== other.what || (one.isRead && other.isRead)
}

/** Waits until everything has happened that follows from a step without another step. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await setImmediate()
}

/** The next choices: the last one that has an alternative is changed. `undefined` when all were played. */
function nextChoices(choices: readonly number[], choicesAt: readonly number[]): readonly number[] | undefined {
  const at = choicesAt.findLastIndex((count, place) => (choices[place] ?? 0) + 1 < count)
  if (at < 0) return undefined
  return [...choicesAt.slice(0, at).map((_, place) => choices[place] ?? 0), (choices[at] ?? 0) + 1]
}
