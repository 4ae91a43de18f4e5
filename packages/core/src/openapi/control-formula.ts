import type { ControlAuth, Operation, Profile } from '@tallystick/core'

/**
 * A control formula as the specification's Control column writes it (part 4), by wire names and with the key last:
 * `endpointId + client_orderid + amount + email + key`.
 */
export function controlFormula({ request }: Operation, auth: ControlAuth, profile?: Profile): string {
  const wireNames = new Map(request.spelling(profile?.wireNames).sent)
  const names = auth.terms.map((term) => (term === 'amountInCents' ? 'amount' : term))
  return [...names.map((name) => wireNames.get(name) ?? name), 'key'].join(' + ')
}
