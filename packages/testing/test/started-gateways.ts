import { onTestFinished } from 'vitest'
import { type StartGatewayOptions, startGateway, type TestGateway } from '../src/index.ts'

/** Starts gateways with these options by default, and closes each when its test ends. */
export function startedGateways(usual: StartGatewayOptions = {}) {
  return async (options: StartGatewayOptions = {}): Promise<TestGateway> => {
    const gateway = await startGateway({ ...usual, ...options })
    onTestFinished(() => gateway.close())
    return gateway
  }
}
