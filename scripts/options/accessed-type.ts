import type { TSIndexedAccessType, TSLiteralType, TSSignature, TSType } from 'oxc-parser'
import { findDeclaration } from './find-declaration.ts'
import { type Scope, scopeOf } from './scope.ts'

/** A type, and the scope in which it is read. */
export interface Placed<Type = TSType> {
  readonly type: Type
  readonly scope: Scope
}

/** The types that `Whole[Keys]` means, one for each key. For `{ [K in Keys]: Each }` each is `Each` with the key for `K`. */
export function accessedTypes({ objectType, indexType }: TSIndexedAccessType, scope: Scope): readonly Placed[] {
  const keys = keysIn(indexType, scope)
  if (objectType.type === 'TSMappedType') {
    const { key: parameter, typeAnnotation: type } = objectType
    if (type === null) return []
    return keys.map((key) => ({ type, scope: withParameter(scope, parameter.name, key) }))
  }
  const names = keys.map(textIn)
  return membersOf(objectType, scope).flatMap(({ type: member, scope: place }) => {
    if (member.type !== 'TSPropertySignature' || member.typeAnnotation === null) return []
    return names.includes(nameOf(member)) ? [{ type: member.typeAnnotation.typeAnnotation, scope: place }] : []
  })
}

function withParameter(scope: Scope, name: string, standIn: TSType): Scope {
  return { ...scope, parameters: new Map([...scope.parameters, [name, standIn]]) }
}

/** The texts of a union, through any aliases, or of `keyof` a type. */
function keysIn(type: TSType, scope: Scope): readonly TSLiteralType[] {
  if (type.type === 'TSLiteralType') return [type]
  if (type.type === 'TSUnionType') return type.types.flatMap((each) => keysIn(each, scope))
  if (type.type === 'TSTypeOperator' && type.operator === 'keyof') {
    return membersOf(type.typeAnnotation, scope).flatMap(({ type: member }) => keyOf(member))
  }
  return named(type, scope).flatMap((each) => keysIn(each.type, each.scope))
}

function membersOf(type: TSType, scope: Scope): readonly Placed<TSSignature>[] {
  if (type.type === 'TSTypeLiteral') return type.members.map((member) => ({ type: member, scope }))
  const meant = type.type === 'TSIndexedAccessType' ? accessedTypes(type, scope) : named(type, scope)
  return meant.flatMap((each) => membersOf(each.type, each.scope))
}

/** What a name means: a type parameter or an alias of this workspace. */
function named(type: TSType, scope: Scope): readonly Placed[] {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return []
  const { name } = type.typeName
  const standIn = scope.parameters.get(name)
  if (standIn !== undefined) return [{ type: standIn, scope }]
  const found = findDeclaration(name, scope.module, scope.packages)
  if (found?.declaration.type !== 'TSTypeAliasDeclaration') return []
  return [{ type: found.declaration.typeAnnotation, scope: scopeOf(found, scope.packages) }]
}

function keyOf(member: TSSignature): readonly TSLiteralType[] {
  if (member.type !== 'TSPropertySignature') return []
  const { start, end } = member.key
  const value = nameOf(member)
  return [{ type: 'TSLiteralType', literal: { type: 'Literal', value, raw: `'${value}'`, start, end }, start, end }]
}

function nameOf({ key }: Extract<TSSignature, { readonly type: 'TSPropertySignature' }>): string {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : ''
}

function textIn({ literal }: TSLiteralType): string {
  return literal.type === 'Literal' ? String(literal.value) : ''
}
