import type { Function as FunctionNode, TSSignature, TSType, TSTypeParameterInstantiation } from 'oxc-parser'
import { accessedTypes } from './accessed-type.ts'
import { docBefore } from './doc-comment.ts'
import { type Found, findDeclaration } from './find-declaration.ts'
import { allOf, type Option, oneOf } from './option.ts'
import { type Scope, scopeOf } from './scope.ts'
import { isNothing, shownType, textOf } from './shown-type.ts'
import { entryOf, readModule } from './source-module.ts'

/**
 * The options of an interface that a package exports, including inherited ones; for a function, the options of its first
 * parameter.
 *
 * @throws Error if the package does not export it
 */
export function readOptions(folder: string, name: string, packages: string): readonly Option[] {
  const found = findDeclaration(name, readModule(entryOf(folder, packages)), packages)
  if (found === undefined) throw new Error(`${folder} exports no type and no function ${name}`)
  return ofDeclaration(found, packages)
}

function ofDeclaration(found: Found, packages: string): readonly Option[] {
  const scope = scopeOf(found, packages)
  const { declaration } = found
  if (declaration.type === 'TSTypeAliasDeclaration') return ofType(declaration.typeAnnotation, scope)
  if (declaration.type !== 'TSInterfaceDeclaration') return ofFirstParameter(declaration, scope)
  const own = ofMembers(declaration.body.body, scope)
  const inherited = declaration.extends.map(({ expression, typeArguments }) =>
    expression.type === 'Identifier' ? ofReference(expression.name, typeArguments, scope) : [],
  )
  return [...own, ...allOf(inherited).filter(({ name }) => !own.some((each) => each.name === name))]
}

function ofFirstParameter({ params: [first] }: FunctionNode, scope: Scope): readonly Option[] {
  const taken = first?.type === 'TSParameterProperty' ? undefined : first?.typeAnnotation
  return taken == null ? [] : ofType(taken.typeAnnotation, scope)
}

function ofType(type: TSType, scope: Scope): readonly Option[] {
  if (type.type === 'TSTypeLiteral') return ofMembers(type.members, scope)
  if (type.type === 'TSIntersectionType') return allOf(type.types.map((each) => ofType(each, scope)))
  if (type.type === 'TSUnionType') return oneOf(type.types.map((each) => ofType(each, scope)))
  if (type.type === 'TSIndexedAccessType') {
    return oneOf(accessedTypes(type, scope).map((each) => ofType(each.type, each.scope)))
  }
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') {
    throw new Error(`${scope.module.path}: no options can be read of ${textOf(type, scope)}`)
  }
  return ofReference(type.typeName.name, type.typeArguments, scope)
}

function ofReference(
  name: string,
  typeArguments: TSTypeParameterInstantiation | null,
  scope: Scope,
): readonly Option[] {
  const standIn = scope.parameters.get(name)
  if (standIn !== undefined) return ofType(standIn, scope)
  const [whole, names] = typeArguments?.params ?? []
  if (name === 'Pick' && whole !== undefined) return pick(whole, namesIn(names), scope)
  if (name === 'Omit' && whole !== undefined) {
    return ofType(whole, scope).filter((option) => !namesIn(names).includes(option.name))
  }
  if (name === 'Partial' && whole !== undefined) {
    return ofType(whole, scope).map((option) => ({ ...option, isRequired: false, alternatives: [] }))
  }
  const found = findDeclaration(name, scope.module, scope.packages)
  if (found === undefined) throw new Error(`${scope.module.path}: ${name} is not declared in this workspace`)
  return ofDeclaration(found, scope.packages)
}

/** The picked options. Of an interface of a framework only the names are known. */
function pick(whole: TSType, names: readonly string[], scope: Scope): readonly Option[] {
  if (isForeign(whole, scope)) {
    const type = textOf(whole, scope)
    return names.map((name) => ({
      name,
      type: `${type}['${name}']`,
      isRequired: false,
      alternatives: [],
      doc: `As in \`${type}\` of the framework.`,
    }))
  }
  return ofType(whole, scope).filter(({ name }) => names.includes(name))
}

function isForeign(type: TSType, { module, packages, parameters }: Scope): boolean {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return false
  const { name } = type.typeName
  return !parameters.has(name) && findDeclaration(name, module, packages) === undefined
}

/** The texts of a union of texts. */
function namesIn(type: TSType | undefined): readonly string[] {
  if (type?.type === 'TSUnionType') return type.types.flatMap((each) => namesIn(each))
  if (type?.type === 'TSLiteralType' && type.literal.type === 'Literal') return [String(type.literal.value)]
  return []
}

/** The members that can be given. A member that may only be left out is no option. */
function ofMembers(members: readonly TSSignature[], scope: Scope): readonly Option[] {
  return members.flatMap((member) => {
    if (member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') return []
    if (member.key.type !== 'Identifier') return []
    const type = typeOf(member, scope)
    if (isNothing(type)) return []
    const { name } = member.key
    return [{ name, type, isRequired: !member.optional, alternatives: [], doc: docBefore(member, scope.module) }]
  })
}

type Member = Extract<TSSignature, { readonly type: 'TSPropertySignature' | 'TSMethodSignature' }>

function typeOf(member: Member, scope: Scope): string {
  if (member.type === 'TSPropertySignature') {
    return member.typeAnnotation === null ? 'unknown' : shownType(member.typeAnnotation.typeAnnotation, scope)
  }
  const parameters = member.params.map((each) => textOf(each, scope)).join(', ')
  const result = member.returnType === null ? 'unknown' : shownType(member.returnType.typeAnnotation, scope)
  return `(${parameters}) => ${result}`
}
