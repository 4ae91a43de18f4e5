import { builtModule, importTimes, moduleFor } from '../import-times.ts'
import { printTable } from '../signing/table.ts'

/** Measures the CPU time of importing the built package in a fresh process, against zod alone. Build the package first. */

const module = builtModule('core')
const { zod, core } = importTimes({ zod: [[moduleFor(module, 'zod'), 'safeParse']], core: [[module, 'catalogue']] })
printTable('Import, CPU time in a fresh process', [
  { what: 'zod alone, median', figure: zod.median, unit: 'ms' },
  { what: '@tallystick/core, median', figure: core.median / zod.median, unit: 'times', goal: 'at most 1.1' },
  { what: '@tallystick/core, least', figure: core.least / zod.least, unit: 'times' },
])
