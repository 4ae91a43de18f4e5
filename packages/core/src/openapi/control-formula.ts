import type { ControlAuth, ControlTerm, ModelField, Operation, Profile } from '@tallystick/core'
import { wireNameOf } from '../models/wire-name-of.ts'

/**
 * A control formula as the specification's Control column writes it (part 4), by wire names and with the key last:
 * `endpointId + client_orderid + amount + email + key`.
 */
export function controlFormula({ request }: Operation, auth: ControlAuth, profile?: Profile): string {
  return [...auth.terms.map((term) => termName(request, term, profile)), 'key'].join(' + ')
}

function termName(model: Operation['request'], term: ControlTerm, profile: Profile | undefined): string {
  const name = term === 'amountInCents' ? 'amount' : term
  const field: ModelField | undefined = model.fields[name]
  return field === undefined ? name : wireNameOf(model, name, field, profile)
}
