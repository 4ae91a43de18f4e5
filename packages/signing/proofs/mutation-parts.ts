import type { MutationPart } from '@tallystick/proof-kit/mutation'

/**
 * All sources, by folder. A part has its own tests alone, for two reasons: a part must be tested where a reader looks for
 * it, and a mutant in a table that is read when a module loads costs a run of all of them.
 */
export const MUTATION_PARTS: readonly MutationPart[] = [
  {
    name: 'control',
    mutate: ['src/control/*.ts', 'src/errors.ts'],
    tests: ['test/control/*.test.ts', 'test/errors.test.ts'],
    isQuick: true,
  },
  { name: 'replay', mutate: ['src/replay/*.ts'], tests: ['test/replay/*.test.ts'], isQuick: false },
  {
    name: 'keys',
    mutate: ['src/keys/*.ts'],
    // The many random keys take long, and are about figures that no single test shows.
    tests: ['test/keys/!(random-keys).test.ts'],
    isQuick: false,
  },
  {
    name: 'doctor',
    mutate: ['src/doctor/*.ts'],
    // The corpus takes long, and asks for 95 of 100: what it alone notices, it may not notice.
    tests: ['test/doctor/!(corpus).test.ts'],
    isQuick: false,
  },
  { name: 'oauth', mutate: ['src/oauth/*.ts'], tests: ['test/oauth/*.test.ts'], isQuick: false },
]
