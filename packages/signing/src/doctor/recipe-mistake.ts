import type { OAuthEvidence } from './oauth-evidence.ts'
import type { Recipe } from './recipe.ts'

/** One mistake in making a base string: which parts of the recipe it may have changed, and into what. */
export type RecipeMistake<Cause extends string> = {
  readonly cause: Cause
  readonly advice: string
  changes(recipe: Recipe, evidence: OAuthEvidence): readonly Partial<Recipe>[]
}
