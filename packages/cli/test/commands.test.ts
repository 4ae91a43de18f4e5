import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { tryCommand } from './try-command.ts'

const MAIN = join(import.meta.dirname, '../src/rims/main.ts')

/** Runs the sources. */
const FLAGS = ['--conditions=@tallystick/source', '--no-warnings']

/** The command as a process. */
function tallystick(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...FLAGS, MAIN, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('The command tallystick', () => {
  test.each([[], ['--help'], ['-h'], ['help']])('shows all commands: %s', async (...args) => {
    const { code, printed } = await tryCommand(args)
    expect(code).toBe(0)
    for (const name of ['sign', 'verify', 'explain', 'trigger', 'gateway']) expect(printed).toMatch(`\n  ${name} `)
  })

  test.each(['sign', 'verify', 'explain', 'trigger'])('%s has a help of its own', async (name) => {
    const { code, printed } = await tryCommand([name, '--help'])
    expect(code).toBe(0)
    expect(printed).toMatch(new RegExp(`^tallystick ${name}: .*\n\nUsage\n  tallystick ${name} `))
    expect(printed.split('\n').filter((line) => line.length > 130)).toEqual([])
  })

  test('shows its version', async () => {
    expect(await tryCommand(['--version'])).toMatchObject({ code: 0, printed: '1.2.3\n' })
  })

  test.each([[['--help']], [['nonsense']]])('ends without a word if nobody reads what it says: %j', async (args) => {
    const child = spawn(process.execPath, [...FLAGS, MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [unread, other] = args[0] === '--help' ? [child.stdout, child.stderr] : [child.stderr, child.stdout]
    unread.destroy()
    const said: unknown[] = []
    other.on('data', (data) => said.push(String(data)))
    expect(await once(child, 'close')).toEqual([141, null])
    expect(said).toEqual([])
  })

  test('names the command that was meant', async () => {
    await expect(tryCommand(['exlpain'])).rejects.toThrow('there is no command exlpain: did you mean explain?')
  })

  test('says which option is unknown, and where to look', async () => {
    await expect(tryCommand(['verify', '--colour'])).rejects.toThrow(
      "unknown option '--colour'\nSee tallystick verify --help",
    )
  })
})

describe('The process', () => {
  test('ends with 2 and one line for a wrong command line', () => {
    const { status, stdout, stderr } = tallystick('sign', 'salle')
    expect([status, stdout, stderr]).toEqual([2, '', 'tallystick: there is no operation salle: did you mean sale?\n'])
  })

  test('ends with 2 for a form that cannot be read', () => {
    const { status, stderr } = tallystick('verify', '--callback', '?status=%zz')
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^tallystick: The form has a percent escape that is cut/),
    ])
  })

  test('runs the gateway with its own options', () => {
    const help = tallystick('gateway', '--help')
    expect(help).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('tallystick-gateway --config gateway.json'),
    })
    const wrong = tallystick('gateway', '--config', 'none.json')
    expect(wrong).toMatchObject({ status: 2, stderr: 'tallystick-gateway: none.json cannot be read (ENOENT)\n' })
  })

  test('has the version of its package', () => {
    expect(tallystick('--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n` })
  })
})
