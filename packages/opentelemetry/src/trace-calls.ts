import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { DIAGNOSTICS } from '@tallystick/client'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { callMetrics } from './call-metrics.ts'
import { CallSpans } from './call-spans.ts'

/** Where the spans and the metrics go. */
export interface TraceCallsOptions {
  /** Makes the spans. Default: the global one, also if it is set later. */
  readonly tracerProvider?: TracerProvider | undefined
  /** Takes the metrics. Default: the global one, which must be set before: start the SDK first. */
  readonly meterProvider?: MeterProvider | undefined
}

const KINDS: Validators<TraceCallsOptions> = {
  tracerProvider: validator.withMethods('a TracerProvider of OpenTelemetry', 'getTracer'),
  meterProvider: validator.withMethods('a MeterProvider of OpenTelemetry', 'getMeter'),
}

/** The instrumentation scope of every span and metric. */
const SCOPE = '@tallystick/opentelemetry'

/**
 * Makes a span of each call of every payment client in this process, and counts the calls. Use it once, right after the SDK was
 * started: with two, each call has two spans. No span or metric holds a card number, a CVV, a key or a body.
 *
 *     const stop = traceCalls()
 *
 * @returns what ends it. The spans of the calls under way are lost, so close the clients before.
 * @throws TypeError for a wrong option
 */
export function traceCalls(options: TraceCallsOptions = {}): () => void {
  checkOptions('traceCalls', options, KINDS)
  const { tracerProvider = trace, meterProvider = metrics } = options
  const spans = new CallSpans(tracerProvider.getTracer(SCOPE))
  const { countCall, countAlarm } = callMetrics(meterProvider.getMeter(SCOPE))
  const listeners = [
    listener(DIAGNOSTICS.callStarted, spans.begin),
    listener(DIAGNOSTICS.callEnded, countCall),
    listener(DIAGNOSTICS.callEnded, spans.end),
    listener(DIAGNOSTICS.alarm, countAlarm),
    listener(DIAGNOSTICS.alarm, spans.addAlarm),
  ]
  for (const [channel, listen] of listeners) subscribe(channel, listen)
  return () => {
    for (const [channel, listen] of listeners) unsubscribe(channel, listen)
  }
}

/** A channel has messages of one type. */
function listener<Message>(channel: string, hear: (message: Message) => void) {
  return [channel, (message: unknown) => hear(message as Message)] as const
}
