import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createPaymentClient } from '@tallystick/client'
import { traceCalls } from '@tallystick/opentelemetry'

const exporter = new InMemorySpanExporter()
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const stop = traceCalls({ tracerProvider })
const client = createPaymentClient({
  baseUrl: 'http://127.0.0.1:1/paynet',
  login: 'shop',
  controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
  endpointId: '253',
})
await client.void({ clientOrderId: 'invoice-77-a', orderId: '6768788' })
await client.close()
stop()
const [span] = exporter.getFinishedSpans()
if (span?.attributes['tallystick.outcome'] !== 'notSent') throw new Error(`a call was traced as ${span?.name}`)
