/** A bill of materials in the form of CycloneDX, as far as it is read here. */
export interface Bill {
  readonly components: readonly Component[]
}

export interface Component {
  readonly type: string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl: string
  readonly 'bom-ref': string
  readonly licenses?: readonly Licence[]
}

type Licence = { readonly license: { readonly id?: string; readonly name?: string } } | { readonly expression: string }

/** None of these asks a shop for anything but to keep the notice. */
const PERMISSIVE = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'])

/** Names each component whose licence is unknown, or not in the list. Of a choice (`MIT OR GPL-2.0`), one has to be. */
export function problemsIn(components: readonly Component[]): readonly string[] {
  return components.flatMap(({ group, name, version, licenses = [] }) => {
    const texts = licenses.map(textOf)
    if (texts.length > 0 && texts.every(isPermissive)) return []
    const component = [...(group === undefined ? [] : [group]), `${name}@${version}`].join('/')
    return [texts.length === 0 ? `${component} has no licence` : `${component} is under ${texts.join(', ')}`]
  })
}

function textOf(licence: Licence): string {
  return 'expression' in licence ? licence.expression : (licence.license.id ?? licence.license.name ?? '')
}

function isPermissive(text: string): boolean {
  return text
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => PERMISSIVE.has(each)))
}
