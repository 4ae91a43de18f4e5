import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { Alarm, CallEnded, CallStarted } from '@tallystick/client'
import { aboutAlarm, aboutCall, aboutEnd } from './attributes.ts'
import { isFailure } from './is-failure.ts'

/** A span for each call. It is the active one while the call is made: what HTTP instrumentation makes then is its child. */
export class CallSpans {
  readonly #tracer: Tracer
  /** Whose the end and the alarms of a call are. The active span may be another, or none without a context manager. */
  readonly #spans = new AsyncLocalStorage<Span>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** Another listener may have given the call a context: that is kept, with the span in it, unless it is of a wrong kind. */
  readonly begin = (call: CallStarted): void => {
    const inSpan = () => this.#inSpanOf(call)
    call.context = call.context instanceof AsyncResource ? call.context.runInAsyncScope(inSpan) : inSpan()
  }

  readonly end = (call: CallEnded): void => {
    const span = this.#spans.getStore()
    if (span === undefined) return
    span.setAttributes(aboutEnd(call))
    if (isFailure(call)) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  /** An alarm that follows from two calls is told when both have ended: it goes to the span around them. */
  readonly addAlarm = (alarm: Alarm): void => {
    const span = this.#spans.getStore() ?? trace.getActiveSpan()
    span?.addEvent('tallystick.alarm', aboutAlarm(alarm))
  }

  #inSpanOf(call: CallStarted): AsyncResource {
    const span = this.#tracer.startSpan(call.operation, { kind: SpanKind.CLIENT, attributes: aboutCall(call) })
    const active = trace.setSpan(context.active(), span)
    return this.#spans.run(span, () => context.with(active, () => new AsyncResource('tallystick:call')))
  }
}
