import type { AdapterCase } from './adapter-case.ts'
import { everyParser } from './cases/every-parser.ts'
import { forms } from './cases/forms.ts'
import { gateway } from './cases/gateway.ts'
import { keeping } from './cases/keeping.ts'
import { places } from './cases/places.ts'

/** What every adapter has to do, whatever its framework. */
export const adapterCases: readonly AdapterCase[] = [...everyParser, ...forms, ...keeping, ...places, ...gateway]
