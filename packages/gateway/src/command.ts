export { runCommand } from './cli/run.ts'
