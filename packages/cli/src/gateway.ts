import type { Command } from './command.ts'

/** The gateway's own command, which reads its own arguments and sets the exit code. */
export const gateway: Command = {
  name: 'gateway',
  summary: 'runs the gateway, in a sandbox or for good; the same as tallystick-gateway',
  help: [],
  run: async (args) => {
    // Loaded only here: no other command needs a database.
    const { runCommand } = await import('@tallystick/gateway/command')
    await runCommand(args)
    return Number(process.exitCode ?? 0)
  },
}
