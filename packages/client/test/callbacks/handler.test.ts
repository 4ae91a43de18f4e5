import { describe, expect, test } from 'vitest'
import { createCallbackHandler } from '../../src/callbacks/callback-handler.ts'
import { createBrowserReturnHandler } from '../../src/callbacks/return-handler.ts'

const client = { verifiesCallback: () => true, status: () => Promise.reject(new Error('not asked')) }
const inbox = { receive: () => Promise.resolve('stored' as const) }
const onOutcome = () => {}
const show = () => ({ status: 200, headers: {}, body: '' })
const journal = { browserReturn: () => Promise.resolve('pending') }

/** A client that can wait for an outcome. */
const waiting = { ...client, waitForOutcome: () => Promise.reject(new Error('not asked')) }

describe('a wrong option is refused when the handler is made', () => {
  test.for([
    ['no options', undefined, /^A callback handler: the options must be an object/],
    ['nothing in them', {}, /^A callback handler: client must be given: a client, with verifiesCallback\(\)/],
    ['neither inbox nor onOutcome', { client }, /either inbox, such as journal.inbox, or onOutcome/],
    ['both of them', { client, inbox, onOutcome }, /either inbox, such as journal.inbox, or onOutcome/],
    ['a misspelled one', { client, onOutcom: onOutcome }, /: there is no option onOutcom; did you mean onOutcome\?/],
    [
      'the journal for its inbox',
      { client, inbox: journal },
      /: inbox must be an inbox, such as journal.inbox, with receive\(\)/,
    ],
    [
      '[F-A12] onNotice beside an inbox',
      { client, inbox, onNotice: 'ignore' },
      /: onNotice and onUnconfirmed are never called/,
    ],
    [
      'onUnconfirmed beside one',
      { client, inbox, onUnconfirmed: onOutcome },
      /: onNotice and onUnconfirmed are never called/,
    ],
    ['a text for onOutcome', { client, onOutcome: 'paid' }, /: onOutcome must be a function/],
    ['a text for onUnconfirmed', { client, onOutcome, onUnconfirmed: 'log' }, /: onUnconfirmed must be a function/],
  ] as const)('of callbacks: %s', ([, options, message]) => {
    expect(() => createCallbackHandler(options as never)).toThrow(TypeError)
    expect(() => createCallbackHandler(options as never)).toThrow(message)
  })

  test.for([
    ['no options', undefined, /^A browser return: the options must be an object/],
    ['neither journal nor client', { show }, /either journal or client/],
    ['both of them', { show, journal, client: waiting }, /either journal or client/],
    ['a misspelled one', { show, journal, showw: show }, /: there is no option showw; did you mean show\?/],
    ['an inbox for the journal', { show, journal: inbox }, /: journal must be a journal, with browserReturn\(\)/],
    [
      'a client that does not wait',
      { show, client },
      /: client must be a client, with verifiesCallback\(\), waitForOutcome\(\)/,
    ],
    ['no page to show', { journal }, /: show must be given: a function/],
    [
      'an endless wait',
      { show, client: waiting, deadlineMs: Number.POSITIVE_INFINITY },
      /: deadlineMs must be a number of/,
    ],
  ] as const)('of browser returns: %s', ([, options, message]) => {
    expect(() => createBrowserReturnHandler(options as never)).toThrow(TypeError)
    expect(() => createBrowserReturnHandler(options as never)).toThrow(message)
  })
})
