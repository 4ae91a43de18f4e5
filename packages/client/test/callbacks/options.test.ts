import { describe, expect, test } from 'vitest'
import { createBrowserReturnHandler } from '../../src/callbacks/browser-return-handler.ts'
import { createCallbackHandler } from '../../src/callbacks/callback-handler.ts'

const client = { verifiesCallback: () => true, status: () => Promise.reject(new Error('not asked')) }
const inbox = { receive: () => Promise.resolve('stored' as const) }
const onOutcome = () => {}
const show = () => ({ status: 200, headers: {}, body: '' })
const journal = { browserReturn: () => Promise.resolve('pending') }

describe('a wrong option shows when the handler is made', () => {
  test.for([
    ['no options', undefined, /takes an object of options/],
    ['nothing in them', {}, /client must be an object with verifiesCallback\(\)/],
    ['neither inbox nor onOutcome', { client }, /either inbox, such as journal.inbox, or onOutcome/],
    ['both of them', { client, inbox, onOutcome }, /either inbox, such as journal.inbox, or onOutcome/],
    ['a misspelled one', { client, onOutcom: onOutcome }, /has no option onOutcom; it has client, inbox, onOutcome/],
    ['the journal for its inbox', { client, inbox: journal }, /inbox must be an object with receive\(\)/],
    ['a text for onOutcome', { client, onOutcome: 'paid' }, /onOutcome must be a function/],
  ] as const)('of callbacks: %s', ([, options, message]) => {
    expect(() => createCallbackHandler(options as never)).toThrow(TypeError)
    expect(() => createCallbackHandler(options as never)).toThrow(message)
  })

  test.for([
    ['no options', undefined, /takes an object of options/],
    ['neither journal nor client', { show }, /either journal or client/],
    ['both of them', { show, journal, client }, /either journal or client/],
    ['an inbox for the journal', { show, journal: inbox }, /journal must be an object with browserReturn\(\)/],
    ['a client that does not wait', { show, client }, /client must be an object with waitForOutcome\(\)/],
    ['no page to show', { journal }, /show must be a function/],
  ] as const)('of browser returns: %s', ([, options, message]) => {
    expect(() => createBrowserReturnHandler(options as never)).toThrow(TypeError)
    expect(() => createBrowserReturnHandler(options as never)).toThrow(message)
  })
})
