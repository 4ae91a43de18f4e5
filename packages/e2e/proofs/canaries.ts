/** No card number, CVV or key shows in what a sandbox and its workbench show, stream and export. */
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { PLACES } from './canaries/places.ts'
import { LOG, type Planted, type Shown, World } from './canaries/world.ts'

/** So that no world grows old. */
const OF_A_WORLD = 300

/** Examples of requests have ids that are new each time. One may look like a card number by chance, and is masked then. */
const ANY_ID = /t[\da-f*]{10,24}z/g
/** Of a chargeback: a digest of the case by a key of the vault, from which nothing can be read. All others here begin with zeros. */
const SERIAL_OF_CASE = /(?!0{8}-)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

await prove({
  name: 'canaries',
  meaning:
    'Card numbers, CVVs and keys are planted wherever they may come in: in the fields of every operation, right and wrong, in headers, paths,\n' +
    "texts, names of fields, answers of shops, words of banks, messages of 3-D Secure, customers' pages, events of shops and requests to the sandbox.\n" +
    'None may show in the recording, as lines, as a stream or as a page, in any answer of the sandbox, or in the log. Card numbers and keys\n' +
    'are searched for. A CVV has too few digits for that: everything is done twice with other CVVs, and all that is shown must be the same.',
  runs: { of: 'planted secrets', long: 100_000, quick: 1500 },
  run: plantAll,
})

async function plantAll({ runs, random, progress }: Order): Promise<Outcome> {
  const findings: string[] = []
  const planted = { card: 0, cvv: 0, key: 0 }
  let [sum, shown] = [0, 0]
  for (; sum < runs; progress(sum, runs)) {
    const seed = random.below(2 ** 31)
    const [one, other] = [await worldOf(seed, 1), await worldOf(seed, 2)]
    for (const { kind } of one.planted) planted[kind]++
    sum += one.planted.length
    shown += one.outputs.reduce((length, [, text]) => length + text.length, 0)
    findings.push(...[...found(one), ...differing(one, other)].map((text) => `world ${seed}: ${text}`))
  }
  return {
    figure:
      counted`${sum} secrets (${planted.card} card numbers, ${planted.cvv} CVVs, ${planted.key} keys) in ` +
      counted`${Object.keys(PLACES).length} kinds of places, ${Math.round(shown / 1e6)} MB shown: ${findings.length} show`,
    findings,
  }
}

/** The same acts for the same seed; only the CVVs are those of the run. */
async function worldOf(seed: number, run: number): Promise<Shown> {
  const world = new World(seed, run)
  while (world.planted.length < OF_A_WORLD) {
    const [place, plant] = world.random.pick(Object.entries(PLACES))
    await world.plantAt(place, plant)
  }
  return await world.shown()
}

/** Card numbers and keys that an output has, in whatever way it is written. */
function found({ planted, outputs }: Shown): readonly string[] {
  const all = outputs.flatMap(([name, text]) => {
    const read = `${text}\n${decoded(text)}`
    const numbers = numbersIn(read)
    const shows = (secret: Planted) =>
      secret.kind === 'card'
        ? numbers.has(secret.text)
        : secret.kind === 'key' && read.includes(secret.text) && !(secret.isUnnamed && name === LOG)
    return planted.filter(shows).map(({ kind, text: secret, place }) => {
      const at = read.indexOf(secret)
      return `a ${kind} of ${place} shows in ${name}: ${read.slice(Math.max(0, at - 150), at + 60)}`
    })
  })
  return [...new Set(all)]
}

/** Without the escapes of addresses and of JSON. */
function decoded(text: string): string {
  const plain = text.replace(/\\+(["/nu])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 'u' ? '\\u' : sign))
  return plain.replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('latin1'),
  )
}

/** All numbers of sixteen digits, with up to two signs between these. */
function numbersIn(text: string): ReadonlySet<string> {
  const numbers = new Set<string>()
  for (const [run] of text.matchAll(/\d(?:[ +.\-_/]{0,2}\d){15,}/g)) {
    const digits = run.replace(/\D/g, '')
    for (let at = 0; at + 16 <= digits.length; at++) numbers.add(digits.slice(at, at + 16))
  }
  return numbers
}

/** What depends on the CVVs. */
function differing(one: Shown, other: Shown): readonly string[] {
  return one.outputs.flatMap(([name, output], index) => {
    const text = alike(output)
    const again = alike(other.outputs[index]?.[1] ?? '')
    if (text === again) return []
    let at = 0
    while (text[at] === again[at]) at++
    return [`a CVV shows in ${name}: ${text.slice(Math.max(0, at - 200), at + 60)}`]
  })
}

function alike(output: string): string {
  return output.replace(ANY_ID, 'an id').replace(SERIAL_OF_CASE, 'a case')
}
