import type { TSType } from 'oxc-parser'
import type { Found } from './find-declaration.ts'
import type { SourceModule } from './source-module.ts'

/** Where a type is read: its file, and the types that replace the type parameters around it. */
export interface Scope {
  readonly module: SourceModule
  readonly parameters: ReadonlyMap<string, TSType>
  /** The folder of the packages. */
  readonly packages: string
}

/** A type parameter is read as its default, or else as its constraint; without either it keeps its name. */
export function scopeOf({ declaration, module }: Found, packages: string): Scope {
  const parameters = declaration.typeParameters?.params ?? []
  return {
    module,
    packages,
    parameters: new Map(
      parameters.flatMap(({ name, default: standard, constraint }) => {
        const standIn = standard ?? constraint
        return standIn === null ? [] : [[name.name, standIn] as const]
      }),
    ),
  }
}
