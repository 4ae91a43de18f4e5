/** How far a time is from now, in the largest unit that fits: `3 minutes ago`, `in 2 days`, `now`. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (unit === undefined) return 'now'
  const [name, length] = unit
  return FORMAT.format(Math.trunc(seconds / length), name)
}

/** A length of time in the largest unit that fits: `20 minutes`. */
export function spanOf(seconds: number): string {
  const [name, length] = UNITS.find(([, one]) => seconds >= one) ?? ['second', 1]
  const count = Math.round(seconds / length)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const FORMAT = new Intl.RelativeTimeFormat('en')

/** To the millisecond, in UTC: `2030-01-01 00:00:00.000`. */
export function exactTime(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '')
}
