/**
 * Changes the sources that sign, verify and explain, one place at a time, and asks whether a test notices.
 *
 *     node packages/signing/proofs/mutation-signing.ts [--quick] [--part control]...
 */
import { proveMutation } from '@tallystick/proof-kit/mutation'
import settings from '../stryker.config.json' with { type: 'json' }
import { MUTATION_PARTS } from './mutation-parts.ts'

await proveMutation({ of: 'signing', parts: MUTATION_PARTS, settings })
