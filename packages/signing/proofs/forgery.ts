import { prove } from './command.ts'
import { forgeControls } from './forge-control.ts'
import { forgeOAuth } from './forge-oauth.ts'
import { Tally } from './tally.ts'

const LONG = { shared: 1_000_000, rsa: 20_000 }
const QUICK = { shared: 20_000, rsa: 500 }

await prove({
  name: 'forgery',
  meaning:
    'Changes signed requests in the ways of an attacker, and counts those that are accepted though they say something\n' +
    'else: 1,000,000 control and HMAC, 20,000 RSA; with --quick 20,000 and 500.',
  run: ({ isQuick }, random, progress) => {
    const { shared, rsa } = isQuick ? QUICK : LONG
    const tally = new Tally()
    const mutants = [
      forgeControls(shared / 2, random),
      forgeOAuth('HMAC-SHA1', shared / 2, random),
      forgeOAuth('RSA-SHA256', rsa, random),
    ]
    for (const judged of mutants) {
      for (const judgement of judged) {
        tally.count(judgement)
        progress(tally.tried, shared + rsa)
      }
    }
    for (const kind of tally.examples) process.stderr.write(`accepted: ${kind}\n`)
    const isWorthIt = tally.tried === shared + rsa && tally.changed > tally.tried / 2
    return { ok: tally.forged === 0 && isWorthIt, figure: tally.toString() }
  },
})
