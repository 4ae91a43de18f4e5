/**
 * No mutated request is accepted.
 *
 *     pnpm prove forgery [--quick] [--runs n] [--seed n]
 */
import { prove } from '@tallystick/proof-kit'
import { forgeControls } from './forge-control.ts'
import { forgeOAuth } from './forge-oauth.ts'
import { Tally } from './tally.ts'

/** One RSA mutant to so many others, half of which are controls and half HMAC: verifying RSA takes long. */
const RSA_SHARE = 50

await prove({
  name: 'forgery',
  meaning:
    'Changes signed requests in the ways of an attacker, and counts those that are accepted though they say something\n' +
    'else: controls, HMAC and, beside them, one RSA for every 50.',
  runs: { of: 'mutants', long: 1_000_000, quick: 20_000 },
  run: ({ runs, random, progress }) => {
    const [half, rsa] = [Math.ceil(runs / 2), Math.ceil(runs / RSA_SHARE)]
    const all = 2 * half + rsa
    const tally = new Tally()
    const mutants = [
      forgeControls(half, random),
      forgeOAuth('HMAC-SHA1', half, random),
      forgeOAuth('RSA-SHA256', rsa, random),
    ]
    for (const judged of mutants) {
      for (const judgement of judged) {
        tally.count(judgement)
        progress(tally.tried, all)
      }
    }
    const isWorthIt = tally.tried === all && tally.changed > tally.tried / 2
    return {
      ok: tally.forged === 0 && isWorthIt,
      figure: tally.toString(),
      findings: Array.from(tally.examples, (kind) => `accepted: ${kind}`),
    }
  },
})
