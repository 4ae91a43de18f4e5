import type { Scenario } from '../scenario.ts'
import { CannotJudge, Wrong } from '../verdict.ts'

const DESCRIPTION = `Grüße & 1 + 1 = "2" <b>'🍵'</b> 世界 ${'long '.repeat(32)}`.trim()

const BEGINS = /Gr.{0,4}e |Zo.{1,4} M/u
const ARRIVES = /Grüße & 1 \+ 1 = "2"|Zoë M/

export const texts: Scenario = {
  id: 'texts',
  group: 'plain',
  title: 'names and descriptions in any script, with & + " and 200 characters',
  right:
    'A form is UTF-8, percent-encoded, and `&`, `+` and `"` arrive unchanged [G2.4-01]; the control is made ' +
    'of UTF-8 bytes [G7.1-01]. A shop that breaks them loses the sale, or signs something else than it sends.',
  cost: 'lostSale',
  settings: { values: { description: DESCRIPTION, name: 'Zoë Müller-Łukasz 王' } },
  run: async (trial) => {
    if (!trial.takes('description') && !trial.takes('name'))
      throw new CannotJudge('neither begin nor create has a place for {description} or {name}')
    await trial.buy()
    await trial.paidOnce()
    const broken = [...(trial.openings[0]?.fields.values() ?? [])].find(
      (value) => BEGINS.test(value) && !ARRIVES.test(value),
    )
    if (broken !== undefined) throw new Wrong(`a text arrives broken: ${broken.slice(0, 60)}`, 'brokenTexts')
  },
}
