/**
 * Gives broken input to every reader of this package, and times texts that grow to 1 MiB.
 *
 *     node packages/core/proofs/fuzz-core.ts [--quick] [--runs n] [--seed n]
 */
import { fuzz } from '@tallystick/proof-kit'
import { FUZZ_TARGETS } from './fuzz-targets.ts'

await fuzz({ name: 'fuzz-core', of: 'core', targets: FUZZ_TARGETS, module: import.meta.url })
