import type { Command } from '../command.ts'
import { ask, RECEIVED_HELP } from './ask.ts'
import { type Diagnosis, isRight, refusalWords } from './diagnosis.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'says whether a request or a callback is signed correctly',
  help: [
    'tallystick verify: says whether a request or a callback is signed correctly',
    {
      heading: 'Usage',
      commands: [
        'tallystick verify --request request.txt --key-file control.key',
        "tallystick verify --callback 'https://shop.example/cb?...&control=...' \\",
        '  --key-file control.key',
      ],
    },
    'The exit code is 0 if it is, 1 if not.',
    ...RECEIVED_HELP,
  ],
  run: async (args, world) => {
    const diagnosis = ask('verify', args, world)
    world.print(wordsOf(diagnosis))
    return isRight(diagnosis) ? 0 : 1
  },
}

function wordsOf(diagnosis: Diagnosis): string {
  if (diagnosis.refusal !== undefined) return refusalWords(diagnosis)
  return `${diagnosis.what} is ${isRight(diagnosis) ? 'right' : 'wrong; tallystick explain says more'}\n`
}
