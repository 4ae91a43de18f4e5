import { GATEWAY_CODES, type RequestValues, type Schedule } from '@tallystick/core'
import { type Answer, refusal } from '../http/reply.ts'
import { dayAt } from '../processing/next-charge.ts'
import type { ProcessContext } from './processor.ts'

/** Without a period, the payment is charged only on request; without a start, it begins on the day of its creation. */
export function readSchedule(
  { period, interval, startDate, finishDate }: RequestValues<'createRecurringPayment'>,
  { clock, endpoint }: Pick<ProcessContext, 'clock' | 'endpoint'>,
): Schedule | undefined {
  if (period === undefined || interval === undefined) return undefined
  return {
    period,
    interval: Number(interval),
    startDate: startDate ?? dayAt(clock.trusted(), endpoint.charges),
    finishDate,
  }
}

/** A payment that can charge nothing is a mistake: its schedule has no charge, or it is charged on request and is over. */
export function endsBeforeItBegins(): Answer {
  const message = 'finishDate (finish-date) must not be before the day of the first charge, nor before today.'
  return refusal(GATEWAY_CODES.invalidRequest, message)
}
