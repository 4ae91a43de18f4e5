import type { Profile } from '../profile/profile.ts'
import type { ModelField } from './field.ts'
import type { Model } from './model.ts'

/** How a profile spells a field of a model on the wire. */
export function wireNameOf(model: Model, name: string, field: ModelField, profile?: Profile): string {
  return profile?.wireNames[model.name]?.[name] ?? field.wireName
}
