import { readRecording, writeRecording } from '@tallystick/core'
import { parse, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'

export const workbench: Command = {
  name: 'workbench',
  summary: 'runs a sandbox with the page that shows what happens, or makes that page of a recording',
  help: [
    'tallystick workbench: shows what happens in a sandbox, in a browser',
    { heading: 'Usage', commands: ['tallystick workbench', 'tallystick workbench --recording FILE > page.html'] },
    'It runs a sandbox with a merchant of its own, as tallystick gateway --sandbox does, and prints the address of its page. It goes on ' +
      'until Ctrl+C, and takes the options of tallystick gateway.',
    {
      heading: 'Options',
      rows: [
        [
          '--recording FILE',
          'prints a recording, such as the output of tallystick tail --once --json, as one page that opens without a server; - reads the standard input',
        ],
      ],
    },
  ],
  run: async (args, { read, print }) => {
    if (!args.some((each) => each.startsWith('--recording'))) {
      // Each is loaded only where it is needed: they are large.
      const { runCommand } = await import('@tallystick/gateway/command')
      await runCommand(['--sandbox', ...args])
      return Number(process.exitCode ?? 0)
    }
    const { values, positionals } = parse('workbench', args, { recording: { type: 'string' } })
    if (positionals[0] !== undefined) throw new UsageError(`${positionals[0]} is too much`)
    const file = values.recording ?? '-'
    const { recordingPage } = await import('@tallystick/gateway')
    print(await recordingPage(linesOf(file, read(file)), { title: file === '-' ? 'Recording' : file }))
    return 0
  },
}

/** @throws UsageError if it is no recording */
function linesOf(file: string, text: string): string {
  try {
    return writeRecording(readRecording(text))
  } catch (error) {
    throw new UsageError(`${file} is no recording: ${(error as Error).message}`)
  }
}
