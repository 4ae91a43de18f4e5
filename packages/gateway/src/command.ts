export { runCommand } from './rims/run-command.ts'
