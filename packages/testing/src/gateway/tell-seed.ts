import type { ChaosOptions } from '@tallystick/gateway'

/** Prints a seed that was made up, so that a failed run can be replayed. */
export function tellSeed(seed: number | undefined, chaos: ChaosOptions | undefined): void {
  if (seed === undefined || chaos?.seed !== undefined) return
  const replays = `chaos: { seed: ${seed} } replays this run, for the same client order ids`
  process.emitWarning(`Orders draw faults by the seed ${seed}: ${replays}.`, {
    type: 'TestGatewayWarning',
    code: 'CHAOS_SEED',
  })
}
