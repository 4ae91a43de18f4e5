/** In every way that a payment can go, the journal charges once and knows it; naive shops do not. */
import { counted, prove } from '@tallystick/proof-kit'
import { journalPolicy, naivePolicies, type Policy } from './model/policies.ts'
import { firstWorld, flawsOf, nextWorlds, type World } from './model/world.ts'

/** More worlds than there are: a walk that grows for ever must not hang. */
const MOST_WORLDS = 500_000

await prove({
  name: 'model',
  meaning:
    'Walks over all worlds of a client, a network and a gateway without idempotency: the process dies up to twice, at any\n' +
    'point; requests, replies and answers are dropped, delayed, or late by up to a quarter of an hour; a client that\n' +
    'believes that nothing was charged pays again. The journal must never charge twice,\n' +
    'never lose sight of a charge, never presume one absent; three naive policies must be seen to fail.',
  runs: { of: 'walks', long: 1, quick: 1 },
  run: () => {
    const ours = explore(journalPolicy)
    const naive = naivePolicies.map((policy) => explore(policy))
    const blameless = naive.filter(({ flaws }) => flaws.double === 0)
    const findings = [
      // A client that never gives up would be flawless as well.
      ...(ours.newAttempts > 0 ? [] : [`${ours.name} was never seen to make a new attempt`]),
      ...(ours.example === '' ? [] : [`${ours.name}: ${describe(ours)}: ${ours.example}`]),
      ...blameless.map(({ name }) => `${name} was not seen to charge twice`),
    ]
    return { figure: [ours, ...naive].map((walk) => `${walk.name}: ${describe(walk)}`).join('; '), findings }
  },
})

type Walk = ReturnType<typeof explore>

function explore<Memory>(policy: Policy<Memory>) {
  const known = new Set<string>()
  const open: World<Memory>[] = [firstWorld(policy)]
  const flaws = { double: 0, unknowable: 0, wrongAbsence: 0 }
  /** The first world that must not exist. */
  let example = ''
  /** In how many worlds a payment was presumed absent and paid again. */
  let newAttempts = 0
  for (let world = open.pop(); world !== undefined; world = open.pop()) {
    const name = JSON.stringify(world)
    if (known.has(name)) continue
    known.add(name)
    if (known.size > MOST_WORLDS) throw new Error(`${policy.name} has more than ${MOST_WORLDS} worlds`)
    const found = flawsOf(world, policy)
    for (const flaw of found) flaws[flaw]++
    if (world.attempts.length > 1) newAttempts++
    if (found.length > 0) example ||= name
    open.push(...nextWorlds(world, policy))
  }
  return { name: policy.name, worlds: known.size, newAttempts, flaws, example }
}

function describe({ worlds, flaws }: Walk): string {
  const { double, unknowable, wrongAbsence } = flaws
  return counted`${worlds} worlds, ${double} double charges, ${unknowable} unknowable, ${wrongAbsence} wrong absences`
}
