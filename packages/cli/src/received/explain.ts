import type { Command } from '../command.ts'
import { wrapped, wrappedBehind } from '../help.ts'
import { ask, RECEIVED_HELP } from './ask.ts'
import { type Diagnosis, isRight, refusalWords, type Suspicion } from './diagnosis.ts'

export const explain: Command = {
  name: 'explain',
  summary: 'names the mistake behind a signature that is refused',
  help: [
    'tallystick explain: names the mistake behind a signature that is refused',
    {
      heading: 'Usage',
      commands: [
        'tallystick explain --request request.txt --key-file control.key',
        'tallystick explain --url https://gate.example.com/paynet/api/v2/sale/1111 \\',
        "  --body 'client_orderid=...&control=...' --key-file control.key",
      ],
    },
    'It tries one mistake after the other until it gets what was sent. The exit code is 0 if the signature is right, 1 ' +
      'if not. What it prints quotes the request with cards masked, and never a key.',
    ...RECEIVED_HELP,
  ],
  run: async (args, world) => {
    const diagnosis = ask('explain', args, world)
    world.print(`${refusalWords(diagnosis)}${diagnosis.what} is ${wordsOf(diagnosis, world.columns)}\n`)
    return isRight(diagnosis) ? 0 : 1
  },
}

function wordsOf({ explanation, suspicion, signedAt }: Diagnosis, columns: number | undefined): string {
  if (explanation.explained) {
    const { cause, advice, received, comparison } = explanation
    return [`wrong: ${cause}`, advice, ...(received === undefined ? [] : ['', comparison])].join('\n')
  }
  if (explanation.right) return ['right', ...unjudged(signedAt)].join('\n')
  const { expected, isCutShort } = explanation
  const why = isCutShort
    ? ['The request is too long to try every mistake: a shorter one may be explained.']
    : unexplained(suspicion, columns)
  return ['wrong', ...why, ...(expected === undefined ? [] : ['', `expected: ${expected}`])].join('\n')
}

/** A right signature is refused a second time, and if a clock is wrong: from here nobody sees that. */
function unjudged(signedAt: number | undefined): readonly string[] {
  if (signedAt === undefined) return []
  const time = new Date(signedAt * 1000).toISOString().replace('.000', '')
  return [`It says that it was signed at ${time}: a gateway takes it once, and if its clock is near that.`]
}

function unexplained({ tried, remaining, proof }: Suspicion, columns: number | undefined): readonly string[] {
  return [
    wrapped(`No single mistake explains it. One at a time, these were tried: ${tried}.`, 0, columns),
    'What remains, and nothing here tells which:',
    ...remaining.map((each) => wrappedBehind('-', each, 2, columns)),
    proof,
  ]
}
