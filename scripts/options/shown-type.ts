import type { TSIndexedAccessType, TSSignature, TSType } from 'oxc-parser'
import { accessedTypes } from './accessed-type.ts'
import type { Scope } from './scope.ts'

/**
 * A type as the table shows it, as short as possible: without `undefined` beside others, the whole type instead of a `Pick` or
 * `Omit`, and the type that replaces a type parameter.
 */
export function shownType(type: TSType, scope: Scope): string {
  if (type.type === 'TSUnionType')
    return parts(
      type.types.filter((each) => each.type !== 'TSUndefinedKeyword'),
      scope,
      ' | ',
    )
  if (type.type === 'TSIntersectionType') return parts(type.types.map(withoutPartial), scope, ' & ')
  if (type.type === 'TSTypeLiteral' && isEmpty(type.members, scope)) return ''
  if (type.type === 'TSIndexedAccessType') return shownAccess(type, scope)
  if (type.type === 'TSLiteralType' && type.literal.type === 'Literal') return type.literal.raw ?? textOf(type, scope)
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return textOf(type, scope)
  const standIn = scope.parameters.get(type.typeName.name)
  if (standIn !== undefined) return shownType(standIn, scope)
  const [whole] = type.typeArguments?.params ?? []
  if (whole === undefined) return textOf(type, scope)
  if (isOneOf(type.typeName.name, 'Pick', 'Omit')) return shownType(whole, scope)
  return type.typeName.name === 'Partial' ? `Partial<${shownType(whole, scope)}>` : textOf(type, scope)
}

/** Whether all members may only be left out, so that nothing can be given. */
function isEmpty(members: readonly TSSignature[], scope: Scope): boolean {
  return members.every(
    (member) =>
      member.type === 'TSPropertySignature' &&
      member.typeAnnotation !== null &&
      isNothing(shownType(member.typeAnnotation.typeAnnotation, scope)),
  )
}

/** Whether a type, as shown, has no value that anyone would give. */
export function isNothing(shown: string): boolean {
  return shown === '' || shown === 'never' || shown === 'undefined'
}

/** The source of a node, in one line. */
export function textOf({ start, end }: { readonly start: number; readonly end: number }, { module }: Scope): string {
  return module.text
    .slice(start, end)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('readonly ', '')
    .replaceAll(/(\?: [^;,(){}]+) \| undefined/g, '$1')
}

/** An indexed access as shown; its source if the type is not ours. */
function shownAccess(type: TSIndexedAccessType, scope: Scope): string {
  const shown = new Set(accessedTypes(type, scope).map((each) => shownType(each.type, each.scope)))
  return shown.size === 0 ? textOf(type, scope) : [...shown].join(' | ')
}

function parts(types: readonly TSType[], scope: Scope, separator: string): string {
  const shown = [...new Set(types.map((each) => parenthesized(each, shownType(each, scope), types.length)))]
  return shown.filter((text) => text !== '').join(separator)
}

function parenthesized(type: TSType, text: string, count: number): string {
  return count > 1 && type.type === 'TSFunctionType' ? `(${text})` : text
}

/** In an intersection, the other parts have what is missing from a `Partial`. */
function withoutPartial(type: TSType): TSType {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return type
  const [whole] = type.typeArguments?.params ?? []
  return type.typeName.name === 'Partial' && whole !== undefined ? whole : type
}

function isOneOf(name: string, ...names: readonly string[]): boolean {
  return names.includes(name)
}
