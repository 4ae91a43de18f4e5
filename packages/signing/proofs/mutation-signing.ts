/** A change to the code that signs, verifies, explains or guards against replays fails a test. */
import { type MutationPart, proveMutation } from '@tallystick/proof-kit/mutation'
import settings from '../stryker.config.json' with { type: 'json' }

/**
 * All sources, by folder. A part has its own tests alone, for two reasons: a part must be tested where a reader looks for
 * it, and a mutant in a table that is read when a module loads costs a run of all of them.
 */
const PARTS: readonly MutationPart[] = [
  {
    name: 'control',
    mutate: ['src/control/*.ts', 'src/errors.ts'],
    tests: ['test/control/*.test.ts', 'test/errors.test.ts'],
    isQuick: true,
  },
  { name: 'replay', mutate: ['src/replay/*.ts'], tests: ['test/replay/*.test.ts'] },
  {
    name: 'keys',
    mutate: ['src/keys/*.ts'],
    // The many random keys take long, and are about figures that no single test shows.
    tests: ['test/keys/!(random-keys).test.ts'],
  },
  {
    name: 'doctor',
    mutate: ['src/doctor/*.ts'],
    // The corpus takes long, and asks for 95 of 100: what it alone notices, it may not notice.
    tests: ['test/doctor/!(corpus).test.ts'],
  },
  { name: 'oauth', mutate: ['src/oauth/*.ts'], tests: ['test/oauth/*.test.ts'] },
]

await proveMutation({ of: 'signing', parts: PARTS, settings })
