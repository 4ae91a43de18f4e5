/** A change to the code of money, codecs, states or redaction fails a test. */
import { type MutationPart, proveMutation } from '@tallystick/proof-kit/mutation'
import settings from '../stryker.config.json' with { type: 'json' }

/**
 * What decides about money, codecs, states and redaction. A part has its own tests alone, for two reasons: a part must be
 * tested where a reader looks for it, and a mutant in a table that is read when a module loads costs a run of all of them.
 */
const PARTS: readonly MutationPart[] = [
  { name: 'money', mutate: ['src/money/*.ts'], tests: ['test/money/*.test.ts'], isQuick: true },
  {
    name: 'control',
    mutate: ['src/control/*.ts'],
    // The catalogue's tests compare the formulas with the specification's.
    tests: ['test/control/*.test.ts', 'test/operations/catalogue.test.ts'],
    isQuick: true,
  },
  {
    name: 'sensitive',
    mutate: ['src/sensitive/*.ts'],
    // Where mutants are counted, the long texts take ten times as long, and a test that runs out of time proves nothing.
    tests: ['test/sensitive/!(mask-long-texts).test.ts'],
  },
  {
    name: 'rules',
    mutate: ['src/rules/*.ts'],
    // What only a random history notices is not noticed the next time.
    tests: ['test/rules/!(histories).test.ts'],
  },
  { name: 'statuses', mutate: ['src/statuses.ts'], tests: ['test/statuses.test.ts'] },
  { name: 'schedules', mutate: ['src/schedules/*.ts'], tests: ['test/schedules/*.test.ts'] },
  { name: 'addresses', mutate: ['src/addresses/*.ts'], tests: ['test/addresses/*.test.ts'] },
  { name: 'callbacks', mutate: ['src/callbacks/codec.ts'], tests: ['test/callbacks/*.test.ts'] },
  {
    name: 'forms',
    mutate: ['src/codec/{form,encode-form,percent}.ts'],
    tests: ['test/codec/{form,encode-form}.test.ts'],
  },
  {
    name: 'requests',
    mutate: ['src/codec/{request,wire-names}.ts'],
    tests: ['test/codec/{request,wire-names}.test.ts'],
  },
  {
    name: 'replies',
    mutate: ['src/codec/{reply,reply-formats,json}.ts'],
    tests: ['test/codec/{reply,json}.test.ts'],
  },
  {
    name: 'models',
    mutate: ['src/models/{model,parse-model,read-usual,format,field,extra}.ts'],
    tests: ['test/models/*.test.ts'],
  },
]

await proveMutation({ of: 'core', parts: PARTS, settings })
