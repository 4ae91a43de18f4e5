import type { Command } from '../command.ts'
import { ask, RECEIVED_HELP } from './ask.ts'

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
    const { what, explanation } = ask('verify', args, world)
    const isRight = !explanation.explained && explanation.right
    world.print(isRight ? `${what} is right\n` : `${what} is wrong; tallystick explain says more\n`)
    return isRight ? 0 : 1
  },
}
