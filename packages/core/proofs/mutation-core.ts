/**
 * Changes the sources that decide about money, codecs, states and redaction, one place at a time, and asks whether a test
 * notices.
 *
 *     node packages/core/proofs/mutation-core.ts [--quick] [--part money]...
 */
import { proveMutation } from '@tallystick/proof-kit/mutation'
import settings from '../stryker.config.json' with { type: 'json' }
import { MUTATION_PARTS } from './mutation-parts.ts'

await proveMutation({ of: 'core', parts: MUTATION_PARTS, settings })
