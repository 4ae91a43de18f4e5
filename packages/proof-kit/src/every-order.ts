import { setImmediate } from 'node:timers/promises'

/** The steps that have effects outside a process. Each waits for its turn. */
export interface Turns {
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>
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
 * at which all processes can die at once.
 */
export async function everyOrder(begin: (turns: Turns) => Promise<Scene>): Promise<Explored> {
  const findings = new Map<string, string>()
  let orders = 0
  for (let choices: readonly number[] | undefined = []; choices !== undefined; orders++) {
    const stage = new Stage()
    const scene = await begin(stage)
    const { taken, choicesAt, hasDied } = await stage.play(scene, choices)
    for (const found of await scene.judge(hasDied)) if (!findings.has(found)) findings.set(found, taken.join(' > '))
    choices = nextChoices(choices, choicesAt)
  }
  return { orders, findings: [...findings].map(([found, how]) => `${found}: ${how}`) }
}

interface Waiting {
  readonly name: string
  readonly go: () => void
}

/** While a scene plays, steps wait for their turn; before and afterwards they run at once. */
class Stage implements Turns {
  #phase: 'open' | 'playing' | 'dead' = 'open'
  readonly #waiting: Waiting[] = []

  step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#phase === 'open') return work()
    return new Promise((resolve, reject) => {
      if (this.#phase === 'playing') this.#waiting.push({ name, go: () => void work().then(resolve, reject) })
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
    while (await isAnyWaiting()) {
      // One of the waiting steps, or death.
      choicesAt.push(this.#waiting.length + 1)
      const [next] = this.#waiting.splice(choices[taken.length] ?? 0, 1)
      taken.push(next?.name ?? 'the processes die')
      if (next === undefined) break
      next.go()
    }
    const hasDied = this.#waiting.length > 0
    this.#phase = hasDied ? 'dead' : 'open'
    if (!hasDied) await ended
    return { taken, choicesAt, hasDied }
  }
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
