import type { DiscoveryService } from '@nestjs/core'
import { INSTANCE_NAME, SETTINGS } from '../payments.tokens.ts'

/**
 * Why the app must not start: if something request-scoped is injected for settings, Nest creates them anew for each request.
 * Nothing would start or close the journal of such settings, or check at the start whether anything handles its outcomes.
 */
export function scopedSettings(discovery: DiscoveryService): readonly string[] {
  return discovery
    .getProviders()
    .filter((wrapper) => wrapper.token === SETTINGS && !wrapper.isDependencyTreeStatic())
    .map(({ host }) => host?.getProviderByKey<string>(INSTANCE_NAME).instance)
    .map(
      (name) =>
        `the settings of the instance ${name} are created once, but something injected for them is request-scoped`,
    )
}
