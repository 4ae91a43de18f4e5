import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tryCommand } from './try-command.ts'

const MAIN = join(import.meta.dirname, '../src/rims/main.ts')

/** The command as a process. */
function tallystick(...args: readonly string[]) {
  const flags = ['--conditions=@tallystick/source', '--no-warnings']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, MAIN, ...args], { encoding: 'utf8' })
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
    expect(tallystick('--version')).toMatchObject({ status: 0, stdout: '0.0.0\n' })
  })
})
