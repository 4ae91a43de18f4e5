import type { CallOptions, PaymentClient } from '@tallystick/client'
import { type OperationKey, operationKeys, type RequestInput } from '@tallystick/core'
import type { ScriptedTransport } from './scripted-transport.ts'

/** The methods that may find an answer missing: then they fail with that. */
export function watched(client: PaymentClient, transport: ScriptedTransport): Partial<PaymentClient> {
  const methods = operationKeys.map((key) => [key, watchedMethod(key, client, transport)])
  return {
    ...Object.fromEntries(methods),
    checkCredentials: (options) => transport.watch(() => client.checkCredentials(options)),
    waitForOutcome: (order, options) => transport.watch(() => client.waitForOutcome(order, options)),
    watchOutcome: async function* (order, options) {
      const looks = client.watchOutcome(order, options)
      for (;;) {
        const look = await transport.watch(() => looks.next())
        if (look.done) return look.value
        yield look.value
      }
    },
    threeDs: {
      next: (order, options) => transport.watch(() => client.threeDs.next(order, options)),
      take: (inbound, options) => transport.watch(() => client.threeDs.take(inbound, options)),
    },
  }
}

function watchedMethod<K extends OperationKey>(key: K, client: PaymentClient, transport: ScriptedTransport) {
  const method = client[key] as (input: RequestInput<K>, options?: CallOptions) => Promise<unknown>
  return async (input: RequestInput<K>, options?: CallOptions) =>
    resolvable(await transport.watch(() => method(input, options)), transport)
}

/** An `unknown` checks the status later, and may find its answer missing then. */
function resolvable(result: unknown, transport: ScriptedTransport): unknown {
  if (typeof result !== 'object' || result === null || !('resolve' in result)) return result
  const resolve = result.resolve as (...args: readonly unknown[]) => Promise<unknown>
  return { ...result, resolve: (...args: readonly unknown[]) => transport.watch(() => resolve(...args)) }
}
