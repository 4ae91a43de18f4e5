/**
 * The readers of forms, replies, callbacks and amounts only throw their own errors and never hang.
 *
 *     pnpm prove fuzz-core [--quick] [--runs n] [--seed n]
 */
import { fuzz } from '@tallystick/proof-kit'
import { FUZZ_TARGETS } from './fuzz-targets.ts'

await fuzz({ name: 'fuzz-core', of: 'core', targets: FUZZ_TARGETS, module: import.meta.url })
