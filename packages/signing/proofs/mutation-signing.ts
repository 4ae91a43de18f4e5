/**
 * A change to the code that signs, verifies, explains or guards against replays fails a test.
 *
 *     pnpm prove mutation-signing [--quick] [--part control]...
 */
import { proveMutation } from '@tallystick/proof-kit/mutation'
import settings from '../stryker.config.json' with { type: 'json' }
import { MUTATION_PARTS } from './mutation-parts.ts'

await proveMutation({ of: 'signing', parts: MUTATION_PARTS, settings })
