/**
 * The readers of headers, forms and addresses only throw their own errors and never hang.
 *
 *     pnpm prove fuzz-signing [--quick] [--runs n] [--seed n]
 */
import { fuzz } from '@tallystick/proof-kit'
import { FUZZ_TARGETS } from './fuzz-targets.ts'

await fuzz({ name: 'fuzz-signing', of: 'signing', targets: FUZZ_TARGETS, module: import.meta.url })
