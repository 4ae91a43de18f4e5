/** Reads options with the compiler, which knows what a type inherits, picks, omits and combines. */
import { join } from 'node:path'
import ts from 'typescript-5'
import { root } from '../workspace.ts'

/** One option, as a reader of its interface sees it. */
export interface Option {
  readonly name: string
  /** As the table shows it. */
  readonly type: string
  readonly isRequired: boolean
  /** Options of which one has to be given if this one is not. */
  readonly alternatives: readonly string[]
  /** The text of its doc comment; empty if there is none. */
  readonly doc: string
}

/** A type, or a function whose first parameter takes the options. */
export interface Wanted {
  /** The module that exports it: the path of its source. */
  readonly module: string
  readonly name: string
}

const SETTINGS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  customConditions: ['@tallystick/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
}

/** @throws Error if a module does not export what is wanted */
export function readOptions(wanted: readonly Wanted[]): ReadonlyArray<readonly Option[]> {
  const host = ts.createCompilerHost(SETTINGS)
  const { getSourceFile, fileExists } = host
  const source = ts.createSourceFile(USER, `interface View {}\n${wanted.map(usesOf).join('')}`, ts.ScriptTarget.ES2023)
  host.getSourceFile = (path, ...rest) => (path === USER ? source : getSourceFile(path, ...rest))
  host.fileExists = (path) => path === USER || fileExists(path)
  const checker = ts.createProgram([USER], SETTINGS, host).getTypeChecker()
  const symbol = checker.getSymbolAtLocation(source)
  const uses = (symbol === undefined ? [] : checker.getExportsOfModule(symbol)).map((each) =>
    checker.getTypeOfSymbol(each),
  )
  return wanted.map(({ module, name }, at) => {
    const found = uses.slice(at * USES, (at + 1) * USES).find(({ flags }) => (flags & NONE) === 0)
    if (found === undefined) throw new Error(`${module} exports no type and no function ${name}`)
    return optionsOf(found, checker)
  })
}

/** A file that does not exist, in which each type is used: there its type parameters have their defaults. */
const USER = join(root, 'uses-options.ts')
const USES = 3
const NONE = ts.TypeFlags.Any | ts.TypeFlags.Never

/** As a type, as one with a parameter that has no default, and as a function. */
function usesOf({ module, name }: Wanted, at: number): string {
  const used = `import(${JSON.stringify(module)}).${name}`
  const first = `typeof ${used} extends (first: infer First, ...rest: never) => unknown ? First : never`
  return [used, `${used}<View>`, first].map((type, use) => `export declare const use${at}_${use}: ${type}\n`).join('')
}

/** The properties that can be given: of a union, those of every part. */
function optionsOf(type: ts.Type, checker: ts.TypeChecker): readonly Option[] {
  const groups = (type.isUnion() ? type.types : [type]).map((each) =>
    checker.getPropertiesOfType(each).flatMap((property) => propertyOf(property, checker)),
  )
  const byName = Map.groupBy(groups.flat(), ({ name }) => name)
  return [...byName].map(([name, same]) => {
    const isRequired = same.every((each) => each.isRequired)
    return {
      name,
      type: anyOf(same.map(({ types }) => types)),
      isRequired: isRequired && same.length === groups.length,
      alternatives: isRequired ? alternativesTo(name, groups) : [],
      doc: [...new Set(same.map(({ doc }) => doc))].join(' ').trim(),
    }
  })
}

/** A union of intersections. What all have in common comes first. */
function anyOf(each: ReadonlyArray<readonly string[]>): string {
  const [first = [], ...others] = each
  const common = first.filter((type) => others.every((other) => other.includes(type)))
  const rest = new Set(each.map((types) => allOf(types.filter((type) => !common.includes(type)))))
  rest.delete('')
  return allOf([...common, ...(rest.size === 0 ? [] : [[...rest].join(' | ')])])
}

function allOf(types: readonly string[]): string {
  return types.map((type) => (types.length > 1 && type.includes(' | ') ? `(${type})` : type)).join(' & ')
}

/** The options that the groups without this one require instead. */
function alternativesTo(name: string, groups: ReadonlyArray<readonly Property[]>): readonly string[] {
  const [without, own] = [false, true].map((wanted) =>
    groups.filter((group) => group.some((each) => each.name === name) === wanted).flat(),
  )
  const others = (without ?? []).filter((other) => other.isRequired && !own?.some((each) => each.name === other.name))
  return [...new Set(others.map((other) => other.name))]
}

/** An option in one part of a union. */
interface Property extends Pick<Option, 'name' | 'isRequired' | 'doc'> {
  /** All of these at once. */
  readonly types: readonly string[]
}

/** Nothing of a property that may only be left out. */
function propertyOf(property: ts.Symbol, checker: ts.TypeChecker): readonly Property[] {
  const types = shownTypes(property, checker).filter((type) => !NOTHING.test(type))
  if (types.length === 0) return []
  const doc = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ')
  return [{ name: property.name, types, isRequired: (property.flags & ts.SymbolFlags.Optional) === 0, doc }]
}

/** Nobody would give it. */
const NOTHING = /^(?:undefined|never|\{ (?:\w+\?: undefined;? ?)+\})$/

const IN_FULL =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType

/** As they are written, or as the compiler resolves them if they depend on other types. Whole types instead of their parts. */
function shownTypes(property: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const written = (property.declarations ?? []).map((each) =>
    ts.isPropertySignature(each) && each.type && !depends(each.type, checker) ? textOf(each.type) : undefined,
  )
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(property))
  const texts = new Set(
    written.includes(undefined) ? [checker.typeToString(type, undefined, IN_FULL)] : written.map((text) => text ?? ''),
  )
  return [...texts].map((text) => {
    const short = text
      .replaceAll('readonly ', '')
      .replaceAll('; }', ' }')
      .replaceAll(/(\?: [^;,(){}]+) \| undefined/g, '$1')
    const whole = short.includes('=>') ? short : short.replaceAll(/\b(?:Pick|Omit)<(\w+), [^<>]+>/g, '$1')
    return whole.replaceAll(/\b(\w+) & Partial<\1>/g, '$1')
  })
}

/** Whether it has an indexed access, a key of a mapped type or a type parameter with a default. */
function depends(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isIndexedAccessTypeNode(node)) return true
  const [declared] = ts.isIdentifier(node) ? (checker.getSymbolAtLocation(node)?.declarations ?? []) : []
  if (declared !== undefined && ts.isTypeParameterDeclaration(declared)) {
    const standIn = declared.default?.kind ?? ts.SyntaxKind.UnknownKeyword
    return ts.isMappedTypeNode(declared.parent) || standIn !== ts.SyntaxKind.UnknownKeyword
  }
  return ts.forEachChild(node, (each) => depends(each, checker) || undefined) ?? false
}

function textOf(node: ts.TypeNode): string {
  if (ts.isParenthesizedTypeNode(node)) return textOf(node.type)
  const parts = ts.isUnionTypeNode(node) ? node.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword) : []
  const [only] = parts
  if (only !== undefined && parts.length === 1) return textOf(only)
  const texts = parts.length > 1 ? parts.map((each) => each.getText()) : [node.getText()]
  return texts
    .join(' | ')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
}
