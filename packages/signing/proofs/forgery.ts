/** No mutated request is accepted. */
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { forgeControls } from './forge-control.ts'
import { forgeOAuth } from './forge-oauth.ts'

/** One RSA mutant to so many others, half of which are controls and half HMAC: verifying RSA takes long. */
const RSA_SHARE = 50

await prove({
  name: 'forgery',
  meaning:
    'Changes signed requests in the ways of an attacker, and counts those that are accepted though they say something\n' +
    'else: controls, HMAC and, beside them, one RSA for every 50.',
  runs: { of: 'mutants', long: 1_000_000, quick: 20_000 },
  run: forgeAll,
})

function forgeAll({ runs, random, progress }: Order): Outcome {
  const [half, rsa] = [Math.ceil(runs / 2), Math.ceil(runs / RSA_SHARE)]
  const all = 2 * half + rsa
  let [tried, changed, forged, shifted] = [0, 0, 0, 0]
  const accepted = new Set<string>()
  for (const judgements of [
    forgeControls(half, random),
    forgeOAuth('HMAC-SHA1', half, random),
    forgeOAuth('RSA-SHA256', rsa, random),
  ]) {
    for (const { kind, isAccepted, isChanged, isShifted = false } of judgements) {
      progress(++tried, all)
      if (isShifted && isAccepted) shifted++
      else if (isChanged) changed++
      if (!isChanged || !isAccepted) continue
      forged++
      accepted.add(`accepted: ${kind}`)
    }
  }
  const isWorthIt = tried === all && changed > tried / 2
  return {
    figure:
      counted`${tried} mutants, ${changed} of them change what is signed, ${forged} of those accepted, ` +
      counted`${shifted} boundary shifts of the control verify by its nature, ` +
      counted`${tried - changed - shifted} other mutants mean the same`,
    findings: isWorthIt ? [...accepted] : [...accepted, 'too few of them change what is signed'],
  }
}
