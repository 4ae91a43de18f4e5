import type { RecordedEvent } from '@tallystick/core'
import { inJson } from '@tallystick/gateway/internal'
import { parse, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import {
  eventsOf,
  isForProgram,
  JSON_ROW,
  OPERATOR_KEY_ROW,
  SANDBOX_OPTIONS,
  SANDBOX_ROW,
  sandboxPort,
  shapeFor,
} from '../sandbox/ask-sandbox.ts'
import { EVENTS_HEAD, eventWriter } from '../sandbox/event-lines.ts'

/** How many events are shown before those that come. */
const SHOWN_FIRST = 10

export const tail: Command = {
  name: 'tail',
  summary: 'shows what happens in a sandbox: what came in, was answered, decided and called back',
  help: [
    'tallystick tail: shows what happens in a sandbox as it happens',
    { heading: 'Usage', commands: ['tallystick tail [options]'] },
    'It shows the requests that come in, how they were answered and, if they were refused, why and what to do about it; ' +
      "the calls to the bank, what was decided, the callbacks with the shop's answers, and the pages of the customer. " +
      'Cards are masked, and no key is shown. It goes on until Ctrl+C.',
    {
      heading: 'Options',
      rows: [
        ['--last N', `ends after the last N events; without it, the last ${SHOWN_FIRST} come first`],
        ['--once', 'ends after all events that there are'],
        JSON_ROW,
        SANDBOX_ROW,
        OPERATOR_KEY_ROW,
      ],
    },
  ],
  run: async (args, world) => {
    const { values, positionals } = parse('tail', args, {
      last: { type: 'string' },
      once: { type: 'boolean' },
      json: { type: 'boolean' },
      ...SANDBOX_OPTIONS,
    })
    if (positionals[0] !== undefined) throw new UsageError(`${positionals[0]} is too much: it is tallystick tail`)
    const { last, once = false } = values
    if (last !== undefined && once) throw new UsageError('--last and --once exclude each other')
    const query = once ? '' : `?last=${last === undefined ? SHOWN_FIRST : numberOf(last)}`
    const isEndless = last === undefined && !once
    const path = isEndless ? `/recording/stream${query}` : `/recording${query}`
    const isPlain = isForProgram(values.json, world)
    const written = isPlain ? (event: RecordedEvent) => `${inJson(event)}\n` : eventWriter(shapeFor(world))
    if (!isPlain) world.paint(EVENTS_HEAD)
    for await (const event of eventsOf(path, sandboxPort(values, world), world)) world.paint(written(event))
    if (isEndless) world.warn('the sandbox has ended')
    return 0
  },
}

function numberOf(last: string): number {
  if (/^[1-9]\d{0,8}$/.test(last)) return Number(last)
  throw new UsageError('--last takes a number of events, such as 20')
}
