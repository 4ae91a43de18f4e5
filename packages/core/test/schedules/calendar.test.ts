import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeInstant } from '../../src/schedules/calendar.ts'

/** From the time zone database's published rules. */
const CASES: ReadonlyArray<readonly [timeZone: string, date: string, time: string, instant: string, what: string]> = [
  ['UTC', '2026-01-01', '00:00', '2026-01-01T00:00:00Z', 'no offset'],
  ['Europe/Berlin', '2026-01-15', '09:00', '2026-01-15T08:00:00Z', 'winter'],
  ['Europe/Berlin', '2026-07-15', '09:00', '2026-07-15T07:00:00Z', 'summer'],
  ['Asia/Kathmandu', '2026-01-01', '00:00', '2025-12-31T18:15:00Z', 'an offset of quarters'],
  ['Pacific/Kiritimati', '2026-01-01', '00:00', '2025-12-31T10:00:00Z', 'the most eastern'],
  ['Pacific/Pago_Pago', '2026-01-01', '23:59', '2026-01-02T10:59:00Z', 'the most western'],
  ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59:00Z', 'just before the missing hour'],
  ['Europe/Berlin', '2026-03-29', '02:00', '2026-03-29T01:00:00Z', 'the missing hour: 03:00'],
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30:00Z', 'the missing hour: 03:30'],
  ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00:00Z', 'just after the missing hour'],
  ['Europe/Berlin', '2026-10-25', '01:59', '2026-10-24T23:59:00Z', 'just before the doubled hour'],
  ['Europe/Berlin', '2026-10-25', '02:00', '2026-10-25T00:00:00Z', 'the doubled hour: its first'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00Z', 'the doubled hour: its first'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00:00Z', 'just after the doubled hour'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30:00Z', 'the missing hour: 03:30'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00Z', 'the doubled hour: its first'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00Z', 'a missing half hour: 02:45'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00Z', 'a doubled half hour: its first'],
  ['America/Sao_Paulo', '2018-11-04', '00:00', '2018-11-04T03:00:00Z', 'a missing midnight: 01:00'],
  ['Africa/Monrovia', '1971-06-01', '12:00', '1971-06-01T12:44:30Z', 'an offset with seconds'],
  ['Pacific/Apia', '2011-12-30', '09:00', '2011-12-30T19:00:00Z', 'a missing day: the 31st, 09:00'],
]

describe('chargeInstant', () => {
  test.each(CASES)('%s %s %s is %s: %s', (timeZone, date, time, instant) => {
    expect(chargeInstant({ date, time, timeZone })).toBe(Date.parse(instant))
  })

  test('days of 23 and 25 hours are as long as they are', () => {
    const midnight = (date: string) => chargeInstant({ date, time: '00:00', timeZone: 'Europe/Berlin' })
    expect(midnight('2026-03-30') - midnight('2026-03-29')).toBe(23 * 3_600_000)
    expect(midnight('2026-10-26') - midnight('2026-10-25')).toBe(25 * 3_600_000)
  })

  test.each(['24:00', '9:00', '12:60', '12:00:00', ''])('%j is no time', (time) => {
    expect(() => chargeInstant({ date: '2026-01-01', time, timeZone: 'UTC' })).toThrow(
      new TypeError('A time must be HH:MM from 00:00 to 23:59'),
    )
  })

  test('a day that does not exist is refused', () => {
    expect(() => chargeInstant({ date: '2026-02-30', time: '12:00', timeZone: 'UTC' })).toThrow(TypeError)
  })

  test.each(['Mars/Olympus', ''])('the time zone %j does not exist, and is refused', (timeZone) => {
    expect(() => chargeInstant({ date: '2026-02-01', time: '12:00', timeZone })).toThrow(RangeError)
  })
})

const QUARTER = 900_000

/**
 * The oracle: walks through the instants around and reads the local clock until it shows the time. If it never does, goes on
 * from the last instant before.
 */
function walk(date: string, time: string, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const read = (instant: number) => Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`)
  const wall = Date.parse(`${date}T${time}Z`)
  let last = Number.NaN
  for (let instant = wall - 64 * QUARTER; instant <= wall + 64 * QUARTER; instant += QUARTER) {
    const shown = read(instant)
    if (shown === wall) return instant
    if (shown < wall) last = instant
  }
  return last + (wall - read(last))
}

test('a walk through the instants finds the same, in zones of all kinds from 2010 to 2035', () => {
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'America/Sao_Paulo',
    'Pacific/Chatham',
    'Antarctica/Troll',
    'Asia/Gaza',
    'UTC',
  )
  const anyDay = fc.integer({ min: Date.UTC(2010, 0, 1) / 86_400_000, max: Date.UTC(2035, 11, 31) / 86_400_000 })
  const day = anyDay.map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  const changing = fc.constantFrom('2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-10-04', '2026-04-05')
  const time = fc.nat(95).map((quarters) => new Date(quarters * QUARTER).toISOString().slice(11, 16))
  fc.assert(
    fc.property(fc.oneof(day, changing), time, zone, (date, at, timeZone) => {
      expect(chargeInstant({ date, time: at, timeZone })).toBe(walk(date, at, timeZone))
    }),
    { numRuns: 200 },
  )
}, 60_000)
