import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CallbackEvent, RequestEvent } from '../events.ts'
import type { LimitEvent } from '../http/concurrency-limit.ts'

/** What a monitoring system reads. Labels are operations, HTTP statuses and callback states: nothing of a request. */
export interface Metrics {
  answered(answered: RequestEvent): void
  called(called: CallbackEvent): void
  failed(): void
  limited(reached: LimitEvent): void
  /** A line of the log could not be written. */
  lineLost(): void
  setReady(isReady: boolean): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

export function metrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'tallystick_requests_total',
    help: 'Requests that were answered, by operation and HTTP status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'tallystick_request_duration_seconds',
    help: 'Time from a request to its answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers,
  })
  const callbacks = new Counter({
    name: 'tallystick_callbacks_total',
    help: 'Callbacks that were sent or given up, by what became of them; open ones are sent again.',
    labelNames: ['state'],
    registers,
  })
  const failures = new Counter({ name: 'tallystick_failures_total', help: 'Failures inside the gateway.', registers })
  const limits = new Counter({
    name: 'tallystick_limits_reached_total',
    help: 'How often something waited or was turned away, by the limit that was reached and the merchant whose share it is.',
    labelNames: ['limit', 'login'],
    registers,
  })
  const lostLines = new Counter({
    name: 'tallystick_log_lines_lost_total',
    help: 'Lines of the log that were lost, because nobody read them or the disk was full.',
    registers,
  })
  const ready = new Gauge({ name: 'tallystick_ready', help: 'Whether the store can be written to.', registers })
  return {
    answered: ({ operation = 'none', httpStatus, milliseconds }) => {
      requests.inc({ operation, status: httpStatus })
      duration.observe({ operation }, milliseconds / 1000)
    },
    called: ({ state }) => callbacks.inc({ state }),
    failed: () => failures.inc(),
    limited: ({ limit, login = '' }) => limits.inc({ limit, login }),
    lineLost: () => lostLines.inc(),
    setReady: (isReady) => ready.set(isReady ? 1 : 0),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
