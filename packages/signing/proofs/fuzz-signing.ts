/**
 * Gives broken input to every parser of this package, and times texts that grow to 1 MiB.
 *
 *     node packages/signing/proofs/fuzz-signing.ts [--quick] [--runs n] [--seed n]
 */
import { fuzz } from '@tallystick/proof-kit'
import { FUZZ_TARGETS } from './fuzz-targets.ts'

await fuzz({ name: 'fuzz-signing', of: 'signing', targets: FUZZ_TARGETS, module: import.meta.url })
