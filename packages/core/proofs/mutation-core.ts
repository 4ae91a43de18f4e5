/**
 * A change to the code of money, codecs, states or redaction fails a test.
 *
 *     pnpm prove mutation-core [--quick] [--part money]...
 */
import { proveMutation } from '@tallystick/proof-kit/mutation'
import settings from '../stryker.config.json' with { type: 'json' }
import { MUTATION_PARTS } from './mutation-parts.ts'

await proveMutation({ of: 'core', parts: MUTATION_PARTS, settings })
