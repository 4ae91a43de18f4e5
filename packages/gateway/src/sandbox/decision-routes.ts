import { maskCardNumbers } from '@tallystick/core'
import * as z from 'zod'
import { type Route, readBody, type SandboxGateway, SandboxRequestError } from './route.ts'

const TEXT = z.string('must be a text').trim().min(1, 'must be a text')

/** As the gateway makes them: no card number of 16 digits is taken for one. */
const REFERENCE = z.string().regex(/^\d{15}$/, 'must be the id that the gateway shows: 15 digits')

const Decision = z.strictObject({
  intentId: z.string().regex(/^(?!\d+$)[\w-]{1,64}$/, 'must be the id of an intent'),
  intentVersion: z.int('must be the version of the intent that was shown'),
  decision: z.union(
    [z.string().regex(/^[a-z-]{1,40}$/), z.strictObject({ reference: REFERENCE })],
    'must be a decision, or { "reference": ID }',
  ),
  by: TEXT.max(80, 'must have at most 80 characters'),
  because: TEXT.max(300, 'must have at most 300 characters'),
})
const Asking = z.strictObject({
  journal: TEXT,
  answered: z.strictObject({ id: z.int(), error: z.string().optional() }).optional(),
})

/** The way back to a journal that takes decisions of the workbench. A journal that was not told to never asks here. */
export const DECISION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/decisions$/,
    shown: '/__sandbox/decisions',
    meaning: 'Whether a journal takes decisions about its intents in review.',
    answer: async (_, gateway) => ({ body: { areTaken: decisionsIn(gateway).areTaken() } }),
  },
  {
    method: 'POST',
    path: /^\/decisions$/,
    shown: '/__sandbox/decisions',
    takes: {
      intentId: 'of an intent in review',
      intentVersion: 'of the intent as it was shown',
      decision: 'one that its journal allows, such as nothing-charged; or { "reference": ID }',
      by: 'who decides',
      because: 'why',
    },
    isRecorded: true,
    meaning: 'Has the journal write a decision, and waits for that.',
    answer: async ({ body }, gateway) => {
      const { by, because, ...decision } = readBody(Decision, body)
      const note = maskCardNumbers(`by ${by}: ${because}`)
      try {
        await decisionsIn(gateway).decide({ ...decision, note })
        return { body: { decided: true } }
      } catch (error) {
        return { status: 409, body: { error: maskCardNumbers((error as Error).message) } }
      }
    },
  },
  {
    method: 'POST',
    path: /^\/decisions\/next$/,
    shown: '/__sandbox/decisions/next',
    // A reference may look like a card number, and has to arrive as it is. The rest was masked when it came in.
    isUnmasked: true,
    takes: {
      journal: 'any name of its own',
      answered: 'the id of the decision before, and the error if it was refused',
    },
    meaning: 'What a journal in another process is to decide next; empty after 20 seconds without anything.',
    answer: async ({ body }, gateway) => ({ body: (await decisionsIn(gateway).next(readBody(Asking, body))) ?? {} }),
  },
]

function decisionsIn({ recording }: SandboxGateway) {
  if (recording === undefined) throw new SandboxRequestError('this gateway records nothing, so no journal is connected')
  return recording.decisions
}
