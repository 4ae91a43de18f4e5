import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDay } from '../../src/schedules/calendar.ts'
import { chargeDates, nextChargeDate, type Period, type Schedule } from '../../src/schedules/charge-dates.ts'

/** The first charges, at most this many. */
function dates(schedule: Schedule, count = 1000): readonly string[] {
  const list: string[] = []
  if (count === 0) return list
  for (const { date } of chargeDates(schedule)) if (list.push(date) === count) break
  return list
}

/** Read off a calendar. */
const CASES: ReadonlyArray<readonly [Period, number, start: string, expected: string]> = [
  ['day', 1, '2026-02-27', '2026-02-27 2026-02-28 2026-03-01 2026-03-02'],
  ['day', 1, '2028-02-27', '2028-02-27 2028-02-28 2028-02-29 2028-03-01'],
  ['day', 30, '2025-12-15', '2025-12-15 2026-01-14 2026-02-13 2026-03-15'],
  ['day', 366, '2027-03-01', '2027-03-01 2028-03-01 2029-03-02 2030-03-03'],
  ['week', 1, '2026-12-21', '2026-12-21 2026-12-28 2027-01-04 2027-01-11'],
  ['week', 2, '2028-02-15', '2028-02-15 2028-02-29 2028-03-14'],
  [
    'month',
    1,
    '2026-01-31',
    '2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31 ' +
      '2026-11-30 2026-12-31 2027-01-31 2027-02-28 2027-03-31',
  ],
  ['month', 1, '2028-01-31', '2028-01-31 2028-02-29 2028-03-31'],
  ['month', 1, '2026-01-30', '2026-01-30 2026-02-28 2026-03-30 2026-04-30'],
  ['month', 1, '2027-12-29', '2027-12-29 2028-01-29 2028-02-29 2028-03-29'],
  ['month', 3, '2025-11-30', '2025-11-30 2026-02-28 2026-05-30 2026-08-30'],
  ['month', 12, '2028-02-29', '2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29'],
  ['month', 366, '2026-01-31', '2026-01-31 2056-07-31 2087-01-31'],
  ['year', 1, '2024-02-29', '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29 2029-02-28'],
  ['year', 4, '2096-02-29', '2096-02-29 2100-02-28 2104-02-29'],
  ['year', 4, '1996-02-29', '1996-02-29 2000-02-29 2004-02-29'],
  ['day', 1, '2000-02-28', '2000-02-28 2000-02-29 2000-03-01'],
  ['day', 1, '2100-02-27', '2100-02-27 2100-02-28 2100-03-01'],
  ['day', 365, '2399-03-01', '2399-03-01 2400-02-29 2401-02-28'],
  ['year', 1, '1999-12-31', '1999-12-31 2000-12-31 2001-12-31'],
]

describe('chargeDates', () => {
  test.each(CASES)('[G13-02] every %s times %i from %s', (period, interval, startDate, expected) => {
    const list = expected.split(' ')
    expect(dates({ period, interval, startDate }, list.length)).toEqual(list)
  })

  test('number the charges from 1', () => {
    const schedule = { period: 'month', interval: 1, startDate: '2026-01-31', finishDate: '2026-03-31' } as const
    expect([...chargeDates(schedule)]).toEqual([
      { number: 1, date: '2026-01-31' },
      { number: 2, date: '2026-02-28' },
      { number: 3, date: '2026-03-31' },
    ])
  })

  test('end with the finish date, which may itself be charged', () => {
    const daily = { period: 'day', interval: 2, startDate: '2026-01-01' } as const
    expect(dates({ ...daily, finishDate: '2026-01-05' })).toEqual(['2026-01-01', '2026-01-03', '2026-01-05'])
    expect(dates({ ...daily, finishDate: '2026-01-04' })).toEqual(['2026-01-01', '2026-01-03'])
    expect(dates({ ...daily, finishDate: '2026-01-01' })).toEqual(['2026-01-01'])
    expect(dates({ ...daily, finishDate: '2025-12-31' })).toEqual([])
  })

  test('end with the calendar of four digits', () => {
    expect(dates({ period: 'year', interval: 1, startDate: '9998-06-01' })).toEqual(['9998-06-01', '9999-06-01'])
    expect(dates({ period: 'day', interval: 1, startDate: '9999-12-30' })).toEqual(['9999-12-30', '9999-12-31'])
  })
})

/** The oracle: walks through ten years day by day and checks for each day whether the schedule names it. */
function walk({ period, interval, startDate, finishDate = '9999-12-31' }: Schedule): readonly string[] {
  const [startYear = 0, startMonth = 0, startDay = 0] = startDate.split('-').map(Number)
  const list: string[] = []
  for (let passed = 0; passed < 3660; passed += 1) {
    const day = new Date(Date.UTC(startYear, startMonth - 1, startDay + passed))
    const months = (day.getUTCFullYear() - startYear) * 12 + day.getUTCMonth() + 1 - startMonth
    const isLastOfMonth = new Date(day.getTime() + 86_400_000).getUTCDate() === 1
    const isAnchor = day.getUTCDate() === startDay || (isLastOfMonth && day.getUTCDate() < startDay)
    const named = {
      day: passed % interval === 0,
      week: passed % (7 * interval) === 0,
      month: months % interval === 0 && isAnchor,
      year: months % (12 * interval) === 0 && isAnchor,
    }[period]
    const date = day.toISOString().slice(0, 10)
    if (named && date <= finishDate) list.push(date)
  }
  return list
}

const day = fc
  .integer({ min: Date.UTC(1990, 0, 1) / 86_400_000, max: Date.UTC(2110, 11, 31) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
const hardDay = fc.constantFrom('2023-12-31', '2024-01-31', '2024-02-29', '2025-01-29', '2025-01-30', '2099-12-31')
const schedules = fc.record({
  period: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
  interval: fc.oneof(fc.integer({ min: 1, max: 13 }), fc.integer({ min: 1, max: 366 })),
  startDate: fc.oneof(day, hardDay),
})

describe('over ten years', () => {
  test('[G13-02] the charges are those that a day-by-day walk finds', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const expected = walk(schedule)
        expect(dates(schedule, expected.length)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  test('the next charge is the first later one of them', () => {
    fc.assert(
      fc.property(schedules, fc.nat(3500), fc.option(fc.nat(3600)), (schedule, passed, length) => {
        const start = Date.parse(schedule.startDate)
        const later = (days: number) => new Date(start + days * 86_400_000).toISOString().slice(0, 10)
        const after = later(passed - 30)
        const finite = { ...schedule, finishDate: later(length ?? 3600) }
        const charges = [...chargeDates(finite)]
        expect(nextChargeDate(finite, after)).toEqual(charges.find(({ date }) => date > after))
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})

describe('nextChargeDate', () => {
  const monthly = { period: 'month', interval: 1, startDate: '2026-01-31' } as const

  test.each([
    ['2020-01-01', 1, '2026-01-31'],
    ['2026-01-30', 1, '2026-01-31'],
    ['2026-01-31', 2, '2026-02-28'],
    ['2026-02-28', 3, '2026-03-31'],
    ['2026-03-30', 3, '2026-03-31'],
    ['2027-12-31', 25, '2028-01-31'],
    ['9999-12-30', 95_688, '9999-12-31'],
  ])('after %s is number %i, %s', (after, number, date) => {
    expect(nextChargeDate(monthly, after)).toEqual({ number, date })
  })

  test('there is none after the finish date', () => {
    expect(nextChargeDate({ ...monthly, finishDate: '2026-03-31' }, '2026-03-31')).toBeUndefined()
    expect(nextChargeDate(monthly, '9999-12-31')).toBeUndefined()
  })
})

describe('what is no schedule', () => {
  const right: Schedule = { period: 'day', interval: 1, startDate: '2026-01-01' }
  const noPeriod = 'period must be day, week, month or year'
  const noInterval = 'interval must be a whole number from 1 to 366'
  const noDate = 'A date must be a day of the calendar from 1970 on, as YYYY-MM-DD'

  test.each([
    ['an unknown period', { ...right, period: 'fortnight' as Period }, noPeriod],
    ['a period by a name of every object', { ...right, period: 'toString' as Period }, noPeriod],
    ['[G13-02] an interval of 0', { ...right, interval: 0 }, noInterval],
    ['[G13-02] an interval of 367', { ...right, interval: 367 }, noInterval],
    ['an interval of a half', { ...right, interval: 1.5 }, noInterval],
    ['a wrong finish', { ...right, finishDate: '2026-1-1' }, noDate],
  ])('%s is refused', (_, schedule, message) => {
    expect(() => chargeDates(schedule)).toThrow(new TypeError(message))
    expect(() => nextChargeDate(schedule, '2026-01-01')).toThrow(new TypeError(message))
  })

  test.each([
    ['2026-02-30', '30 February'],
    ['2026-02-29', '29 February of a common year'],
    ['2100-02-29', '29 February 2100'],
    ['2026-04-31', '31 April'],
    ['2026-06-31', '31 June'],
    ['2026-09-31', '31 September'],
    ['2026-11-31', '31 November'],
    ['2026-01-32', '32 January'],
    ['2026-01-00', 'a day 0'],
    ['2026-00-01', 'a month 0'],
    ['2026-13-01', 'a month 13'],
    ['0000-01-01', 'a year 0'],
    ['1969-12-31', 'a day before 1970'],
    ['2026-01-01T00:00', 'a date with a time'],
    ['2026-01-01 ', 'a text after the date'],
    [' 2026-01-01', 'a text before the date'],
    ['yesterday', 'no date at all'],
    ['', 'no text'],
  ])('%j is refused: %s', (date) => {
    expect(() => chargeDates({ ...right, startDate: date })).toThrow(new TypeError(noDate))
    expect(() => chargeDates({ ...right, finishDate: date })).toThrow(new TypeError(noDate))
    expect(() => nextChargeDate(right, date)).toThrow(new TypeError(noDate))
    expect(isDay(date)).toBe(false)
  })

  test('dates begin with 1970', () => {
    expect(isDay('1970-01-01')).toBe(true)
    expect(dates({ ...right, startDate: '1970-01-01' }, 2)).toEqual(['1970-01-01', '1970-01-02'])
  })
})
