import type { Meter } from '@opentelemetry/api'
import type { Alarm, CallEnded } from '@tallystick/client'
import { countedBy } from './attributes.ts'

/**
 * Seconds: those that the conventions give for HTTP, and some for a gateway that waits for the bank. The SDK's own would be for
 * milliseconds. The last is below the client's time limit of 70 s, so that what took longer is apart.
 */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 30, 60]

/** Counts calls and alarms. An alarm is counted beside its span, which may not be sampled. */
export function callMetrics(meter: Meter) {
  const durations = meter.createHistogram('tallystick.client.call.duration', {
    description: 'How long calls took, from sending to the verdict',
    unit: 's',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  })
  const alarms = meter.createCounter('tallystick.client.alarms', {
    description: "What needs somebody's attention",
    unit: '{alarm}',
  })
  return {
    countCall: (call: CallEnded) => durations.record(call.milliseconds / 1000, countedBy(call)),
    countAlarm: ({ operation, what }: Alarm) =>
      alarms.add(1, { 'tallystick.operation': operation, 'tallystick.alarm': what }),
  }
}
