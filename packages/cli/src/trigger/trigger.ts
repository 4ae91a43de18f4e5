import { suggestName } from '@tallystick/core/internal'
import { FAULTS } from '@tallystick/gateway'
import { needed, parse, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import type { HelpPart } from '../help.ts'
import { OPERATOR_KEY_ROW, SANDBOX_ROW } from '../sandbox/ask-sandbox.ts'
import { callback } from './callback.ts'
import { SANDBOX_EVENTS } from './sandbox-events.ts'
import { TRIGGER_OPTIONS, type TriggerEvent } from './trigger-event.ts'

const EVENTS: readonly TriggerEvent[] = [callback, ...SANDBOX_EVENTS]

const HELP: readonly HelpPart[] = [
  'tallystick trigger: makes something happen that a shop must be able to take',
  { heading: 'Usage', commands: ['tallystick trigger EVENT [options]'] },
  {
    commands: [
      'tallystick trigger callback --url http://localhost:3000/callbacks \\',
      '  --key-file control.key --times 2 \\',
      '  client_orderid=invoice-112 orderid=150000000000017 amount=10.42',
      'tallystick trigger chargeback invoice-112 --amount 5.00',
    ],
  },
  { heading: 'Events', rows: EVENTS.map(({ usage, meaning }) => [usage, meaning]) },
  'A callback is sent by this command, to any shop. All else is done by a gateway that runs as a sandbox (tallystick ' +
    'gateway --sandbox). A shop that confirms callbacks by status before it answers takes only those of orders that ' +
    "its gateway knows. An ORDER is named by the gateway's id or by the shop's own.",
  {
    heading: 'Options',
    rows: [
      ['--url URL', "of a callback: the shop's address"],
      ['--key-file FILE', 'of a callback: the merchant control key; default: the variable TALLYSTICK_CONTROL_KEY'],
      ['--times N', 'of a callback: how often it is sent, all at once; default 1'],
      ['--forged', 'of a callback: signs it with a wrong key, so that a shop must refuse it'],
      SANDBOX_ROW,
      OPERATOR_KEY_ROW,
      ['--amount AMOUNT', 'of a chargeback, in major units; default: all that is left'],
      ['--operation KEY', 'of a fault: the next request of this operation has it, such as sale'],
      ['--client-order-id ID', 'of a fault: or this order has it'],
    ],
  },
  { heading: 'Faults', rows: Object.entries(FAULTS).map(([name, { meaning }]) => [name, meaning]) },
]

export const trigger: Command = {
  name: 'trigger',
  summary: 'sends a callback, or has a sandbox make a chargeback, a fault, or time pass',
  help: HELP,
  run: async (args, world) => {
    const { values, positionals } = parse('trigger', args, TRIGGER_OPTIONS)
    const [word, ...operands] = positionals
    const name = needed(word, 'EVENT', `what is to happen: ${EVENTS.map((each) => each.name).join(', ')}`)
    const event = EVENTS.find((each) => each.name === name)
    if (event === undefined) {
      const names = EVENTS.map((each) => each.name)
      throw new UsageError(`there is no event ${name}: ${suggestName(name, names)}`)
    }
    requireNoMore(operands, event)
    requireOwn(Object.keys(values), event)
    return await event.run(operands, values, world)
  },
}

/** Who names an order to be reset must not lose all of them. */
function requireNoMore(operands: readonly string[], { usage }: TriggerEvent): void {
  if (usage.endsWith('...')) return
  const strange = operands[usage.split(' ').length - 1]
  if (strange !== undefined) throw new UsageError(`${strange} is too much: it is tallystick trigger ${usage}`)
}

/** An option that nothing reads would be a wish that is not heard. */
function requireOwn(given: readonly string[], { name, options }: TriggerEvent): void {
  const strange = given.find((option) => !options.some((own) => own === option))
  if (strange === undefined) return
  const others = EVENTS.filter((each) => each.options.some((own) => own === strange)).map((each) => each.name)
  throw new UsageError(`--${strange} belongs to ${others.join(', ')}, not to ${name}: see tallystick trigger --help`)
}
