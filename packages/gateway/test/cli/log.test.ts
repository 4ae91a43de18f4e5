import { describe, expect, test } from 'vitest'
import { log } from '../../src/cli/log.ts'

const PAN = '4485940822379130'

/** A log, and what it wrote: one object for each line. */
function written(level = 'debug') {
  const lines: string[] = []
  return {
    lines,
    log: log(level, { write: (line) => void lines.push(line) }),
    objects: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
  }
}

const ANSWERED = {
  serialNumber: '00000000-0000-4000-8000-000000000001',
  operation: 'sale',
  httpStatus: 200,
  errorCode: undefined,
  orderId: '123456789012345',
  milliseconds: 3,
}

describe('a log', () => {
  test('has a line of JSON for each answer, with the request id, and nothing of the machine', () => {
    const { log, lines, objects } = written()
    log.answered(ANSWERED)
    const { serialNumber: requestId, errorCode: _, ...facts } = ANSWERED
    expect(objects()).toEqual([{ level: 30, time: expect.any(String), requestId, ...facts, msg: 'answered' }])
    expect(new Date(String(objects()[0]?.['time'])).getTime()).not.toBeNaN()
    expect(lines[0]).toMatch(/\n$/)
  })

  test('[F-B12] has the facts of a refusal in one line, without a card and without characters that steer a terminal', () => {
    const { log, lines, objects } = written()
    const refused = {
      method: 'POST',
      path: '/paynet/api/v2/sale/4444333322221111',
      peer: '203.0.113.7',
      endpointId: '1111',
      login: 'a\u001b[2J\u202eb\n{"level":30}',
      clientOrderId: undefined,
      reason: 'The control does not fit.',
    }
    log.answered({ ...ANSWERED, httpStatus: 403, refused })
    expect(objects()[0]).toMatchObject({
      httpStatus: 403,
      path: '/paynet/api/v2/sale/444433******1111',
      peer: '203.0.113.7',
      login: 'a\\u001b[2J\\u202eb\\u000a{"level":30}',
      reason: 'The control does not fit.',
    })
    expect([lines.length, lines[0]?.trimEnd().includes('\n')]).toEqual([1, false])
  })

  test('[F-B12] has no digits of a card that stands where a long text is cut', () => {
    const { log, lines } = written()
    for (let at = 284; at < 300; at++) log.refused({ status: 400, reason: `${'x'.repeat(at)}${PAN}` })
    expect(lines.join('')).not.toContain(PAN.slice(0, 7))
  })

  test('[F-B12] has the path of what was refused, without its query and without the token of a page', () => {
    const { log, objects } = written()
    log.refused({ status: 404, path: '/form/0123456789abcdefghijklmn?email=a%40b.example', reason: 'nothing' })
    expect(objects()[0]?.['path']).toBe('/form/***')
  })

  test('[F-D8] shows what would turn a line around or hide in it as its code, and the line stays the same JSON', () => {
    const { log, lines, objects } = written()
    const operation = 'a\u202eb\u200bc\u009bd\u{e0041}e\tf عربي'
    log.answered({ ...ANSWERED, operation })
    expect(lines[0]).toContain('a\\u202eb\\u200bc\\u009bd\\udb40\\udc41e\\tf عربي')
    expect(objects()).toMatchObject([{ operation }])
  })

  test('has a line for each callback, with the request id, a warning for one that was not acknowledged', () => {
    const { log, objects } = written()
    const called = { orderId: '1', address: 'https://shop.example.com/cb', made: 1 }
    log.called({ ...called, serialNumber: 'serial', answer: '404', state: 'open', dueAt: 5000 })
    log.called({ ...called, serialNumber: 'serial', answer: '200', state: 'acknowledged', dueAt: undefined })
    const line = { time: expect.any(String), msg: 'called back', requestId: 'serial', ...called }
    expect(objects()).toEqual([
      { ...line, level: 40, answer: '404', state: 'open', again: '1970-01-01T00:00:05.000Z' },
      { ...line, level: 30, answer: '200', state: 'acknowledged' },
    ])
  })

  test('has a failure with its causes and the request id, and without card data', () => {
    const { log, lines, objects } = written()
    const cause = new Error(`the acquirer said ${PAN}, cvv2=7391`)
    log.failed(new Error('it failed', { cause }), 'serial')
    expect(objects()).toMatchObject([{ level: 50, requestId: 'serial', msg: 'failed' }])
    expect(objects()[0]?.['error']).toContain('it failed')
    expect(objects()[0]?.['error']).toContain('the acquirer said 448594******9130, cvv2=***')
    expect(lines.join()).not.toMatch(/4485940822379130|7391/)
  })

  test('never writes a field of card data or keys, wherever it stands', () => {
    const { log, lines } = written()
    const secret = 'do-not-write'
    const names = [
      'pan',
      'cardNumber',
      'credit_card_number',
      'cvv',
      'cvv2',
      'controlKey',
      'control',
      'authorization',
      'body',
    ]
    for (const name of names) {
      const deep = { [name]: secret, inner: { [name]: secret, deeper: { [name]: secret } } }
      log.info('planted', { ...(deep as Record<string, string>) })
    }
    expect(lines).toHaveLength(names.length)
    expect(lines.join()).not.toContain(secret)
  })

  test('writes no row of a database and no connection, whatever a driver hangs on its errors', () => {
    const { log, lines } = written()
    const hung = { code: '23514', detail: 'Failing row contains (JOHN SMITH)', client: { secretKey: 'do-not-write' } }
    const cause = Object.assign(new Error('violates a check'), hung)
    log.failed(Object.assign(new Error('not written', { cause }), hung))
    expect(lines.join()).not.toMatch(/SMITH|do-not-write/)
    expect(lines.join()).toMatch(/not written/)
    expect(lines.join()).toMatch(/violates a check/)
    expect(lines.join()).toMatch(/23514/)
    expect(cause.detail).toContain('SMITH')
  })

  test('writes from the configured level on', () => {
    const { log, lines } = written('error')
    log.answered(ANSWERED)
    log.info('listening')
    expect(lines).toEqual([])
    log.failed(new Error('it failed'))
    expect(lines).toHaveLength(1)
  })
})
