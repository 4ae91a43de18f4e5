import * as z from 'zod'
import { CALLBACK_TRIALS } from '../callbacks/trial.ts'
import { type Route, readBody, readFields, SandboxRequestError } from './route.ts'

const TEXT = z.string('must be a text').min(1, 'must be a text')
const LIMIT = 'must be a whole number from 1 to 1000'

const Trial = z.strictObject({
  callbackId: TEXT,
  as: z.enum(CALLBACK_TRIALS, `must be one of ${CALLBACK_TRIALS.join(', ')}`),
})
const Login = z.strictObject({ login: TEXT })
const Most = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d{0,2}|1000)$/, LIMIT)
    .transform(Number)
    .default(100),
})

/** What only the workbench asks for. */
export const WORKBENCH_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/agenda$/,
    shown: '/__sandbox/agenda',
    takes: { limit: 'at most so many; default 100' },
    meaning: 'What is due next: callbacks, holds that end, look-ups, charges of schedules.',
    answer: async ({ query }, { sandbox }) => {
      const { limit } = readFields(Most, Object.fromEntries(query))
      return { body: { due: await sandbox.agenda(limit) } }
    },
  },
  {
    method: 'POST',
    path: /^\/callbacks\/try$/,
    shown: '/__sandbox/callbacks/try',
    takes: { callbackId: 'the id of a callback', as: CALLBACK_TRIALS.join(', ') },
    isRecorded: true,
    meaning: 'Calls the shop with a changed callback, to see what it makes of it. The callback itself stays as it is.',
    answer: async ({ body }, { sandbox }) => {
      const { callbackId, as } = readBody(Trial, body)
      const answers = await sandbox.tryCallback(callbackId, as)
      return answers === undefined ? NO_CALLBACK : { body: { answers } }
    },
  },
  {
    method: 'POST',
    path: /^\/setup\/key$/,
    shown: '/__sandbox/setup/key',
    isUnmasked: true,
    takes: { login: 'of a merchant' },
    isRecorded: true,
    meaning: 'The control key of a merchant, to put it into a shop. Once: then the sandbox does not say it again.',
    answer: async ({ body }, { sandbox }) => {
      const controlKey = sandbox.takeControlKey(readBody(Login, body).login)
      if (controlKey === undefined) throw new SandboxRequestError(KEY_TAKEN)
      return { body: { controlKey } }
    },
  },
]

const NO_CALLBACK = { status: 404, body: { error: 'there is no callback of this id, or it has no address any more' } }
const KEY_TAKEN =
  'there is no such login, or its key was taken before: it is in the configuration, or the sandbox printed it when it started'
