import { builtModule, importTimes } from '../import-times.ts'
import { printTable } from './table.ts'

/** Measures the CPU time of importing the built package, against node:crypto alone. Build the package first. */

const { bare, signing } = importTimes({
  bare: [[new URL('node:crypto'), 'createHash']],
  signing: [[builtModule('signing'), 'signOAuth']],
})
printTable('Import, CPU time in a fresh process', [
  { what: 'node:crypto', figure: bare.least, unit: 'ms' },
  { what: '@tallystick/signing', figure: signing.least / bare.least, unit: 'times', goal: 'at most 1.5' },
])
