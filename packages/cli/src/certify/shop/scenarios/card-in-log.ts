import { cards } from '@tallystick/testing'
import type { Scenario } from '../scenario.ts'
import type { Trial } from '../trial.ts'
import { CannotJudge, Wrong } from '../verdict.ts'

export const cardInLog: Scenario = {
  id: 'card-in-log',
  group: 'shop',
  title: 'the shop writes the card number into its log',
  right:
    'A card number is stored nowhere but in a vault, and in no log at all: logs are copied, sent and read by ' +
    'many [F-B8].',
  cost: 'cardLeaked',
  run: async (trial) => {
    const { log } = trial.shop.file
    if (log.length === 0) throw new CannotJudge('the file has no log')
    await trial.buy()
    await trial.wait(trial.shop.file.quiet * 1000)
    const { cardNumber } = cards.approved
    const written = log.find((file) => readIfThere(trial, file).replaceAll(/[ -]/g, '').includes(cardNumber))
    if (written !== undefined) throw new Wrong(`the number of the customer's card is in ${written}`)
  },
}

function readIfThere({ world }: Trial, file: string): string {
  try {
    return world.read(file)
  } catch {
    throw new CannotJudge(`${file}, the log, cannot be read`)
  }
}
