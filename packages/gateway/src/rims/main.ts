#!/usr/bin/env node
import { runCommand } from './run-command.ts'

/** The command `tallystick-gateway`. */
await runCommand(process.argv.slice(2))
