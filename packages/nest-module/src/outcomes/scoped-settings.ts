import type { DiscoveryService } from '@nestjs/core'
import { INSTANCE_NAME, SETTINGS } from '../payments.tokens.ts'

/**
 * Why the app must not start: Nest makes settings anew for each request where something request-scoped is injected for them.
 * Nobody would start or close a journal of theirs, or look at start whether anybody hears its outcomes.
 */
export function scopedSettings(discovery: DiscoveryService): readonly string[] {
  return discovery
    .getProviders()
    .filter((wrapper) => wrapper.token === SETTINGS && !wrapper.isDependencyTreeStatic())
    .map(({ host }) => host?.getProviderByKey<string>(INSTANCE_NAME).instance)
    .map(
      (name) => `the settings of the instance ${name} are made once, and what is injected for them is request-scoped`,
    )
}
