import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { traceCalls } from '../src/index.ts'

/** Hands over what was counted when it is asked, and never by itself. */
class AskedReader extends MetricReader {
  protected override onForceFlush = async () => undefined
  protected override onShutdown = async () => undefined
}

/** A series of a metric: its attributes, and its value, or the bounds, the sum and the count of a histogram. */
export interface Series {
  readonly metric: string
  readonly unit: string
  readonly attributes: object
  readonly value: unknown
}

/** The real SDK, with exporters in memory, and the calls traced into it. */
export function startTelemetry() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const reader = new AskedReader()
  const meterProvider = new MeterProvider({ readers: [reader] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const stopTracing = traceCalls({ tracerProvider, meterProvider })
  return {
    tracer: tracerProvider.getTracer('shop'),
    tracerProvider,
    meterProvider,
    stopTracing,
    /** All that have ended. */
    spans: (): readonly ReadableSpan[] => exporter.getFinishedSpans(),
    series: async (): Promise<readonly Series[]> => {
      const { resourceMetrics } = await reader.collect()
      return resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
        metrics.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => ({ metric: name, unit, attributes, value })),
        ),
      )
    },
    stop: () => {
      stopTracing()
      for (const api of [context, metrics, trace]) api.disable()
    },
  }
}
