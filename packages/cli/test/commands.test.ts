import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { bugReport } from '../src/runtime/run.ts'
import { KEY, tryCommand } from './try-command.ts'

const MAIN = join(import.meta.dirname, '../src/runtime/main.ts')

/** Runs the sources. */
const FLAGS = ['--conditions=@tallystick/source', '--no-warnings']

/** The command as a process. */
function tallystick(...args: readonly string[]) {
  return spawned(FLAGS, args)
}

function spawned(flags: readonly string[], args: readonly string[], env = process.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, MAIN, ...args], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

describe('The command tallystick', () => {
  test.each([[], ['--help'], ['-h'], ['help']])('shows all commands: %s', async (...args) => {
    const { code, printed } = await tryCommand(args)
    expect(code).toBe(0)
    for (const name of ['sign', 'verify', 'explain', 'trigger', 'orders', 'order', 'tail', 'gateway'])
      expect(printed).toMatch(`\n  ${name} `)
  })

  test.each(['sign', 'verify', 'explain', 'trigger', 'orders', 'order', 'tail'])(
    '%s has a help of its own',
    async (name) => {
      const { code, printed } = await tryCommand([name, '--help'])
      expect(code).toBe(0)
      expect(printed).toMatch(new RegExp(`^tallystick ${name}: .*\n\nUsage\n  tallystick ${name} `))
    },
  )

  test.each([
    [],
    ['sign'],
    ['verify'],
    ['explain'],
    ['trigger'],
    ['orders'],
    ['order'],
    ['tail'],
    ['certify'],
    ['certify', 'gateway'],
    ['certify', 'shop'],
  ])('shows a help that fits: %s', async (...args) => {
    const lines = async (columns: number) =>
      (await tryCommand([...args, '--help'], {}, { columns })).printed.split('\n')
    const longest = async (columns: number) => Math.max(...(await lines(columns)).map((line) => line.length))
    expect(await longest(80)).toBeLessThanOrEqual(80)
    expect(await lines(200)).toEqual(await lines(80))
    // Command lines stay as they are typed, and stand before the first option.
    const options = (await lines(60)).slice((await lines(60)).findIndex((line) => /^(?:Options|Commands)$/.test(line)))
    expect(options.filter((line) => line.length > 60)).toEqual([])
  })

  test('shows its version', async () => {
    for (const name of ['--version', '-V', 'version'])
      expect(await tryCommand([name])).toMatchObject({ code: 0, printed: '1.2.3\n' })
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

  test.skipIf(!existsSync('/dev/full'))('ends with 74 if the output cannot be written', () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [...FLAGS, MAIN, '--help'], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    expect([status, stderr]).toEqual([74, 'tallystick: the output cannot be written (ENOSPC)\n'])
  })

  test('names the command that was meant', async () => {
    await expect(tryCommand(['exlpain'])).rejects.toThrow('there is no command exlpain: did you mean explain?')
    await expect(tryCommand(['--hlep'])).rejects.toThrow('there is no option --hlep: did you mean --help?')
    await expect(tryCommand(['-x'])).rejects.toThrow('there is no option -x\nSee tallystick --help')
  })

  test('shows the help of a command that is named after help', async () => {
    expect(await tryCommand(['help', 'sign'])).toEqual(await tryCommand(['sign', '--help']))
    await expect(tryCommand(['help', 'sing'])).rejects.toThrow('there is no command sing: did you mean sign?')
  })

  test('says which option is unknown, and where to look', async () => {
    await expect(tryCommand(['verify', '--colour'])).rejects.toThrow(
      'there is no option --colour\nSee tallystick verify --help',
    )
    await expect(tryCommand(['verify', '--reqest=r'])).rejects.toThrow('no option --reqest: did you mean --request?')
    await expect(tryCommand(['verify', '--url'])).rejects.toThrow(/^Option '--url <value>' argument missing\nSee /)
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
      expect.stringMatching(/^tallystick: The form has a percent escape in status that is cut/),
    ])
  })

  test('does not take a bug for a mistake of the caller', () => {
    const broken = [...FLAGS, '--import', 'data:text/javascript,Date.now = undefined']
    const env = { ...process.env, TALLYSTICK_CONTROL_KEY: KEY }
    const { status, stdout, stderr } = spawned(broken, ['sign', 'void', '--endpoint', '1'], env)
    expect([status, stdout]).toEqual([70, ''])
    expect(stderr).toMatch(/^tallystick: this is a bug of tallystick.*\nTypeError: Date.now is not a function\n {4}at /)
  })

  test('writes no signs that a terminal would obey', () => {
    const email = 'a%1b%5b2J%c2%9b%09b'
    const form = `client_orderid=1&amount=1.00&email=${email}&control=${'0'.repeat(40)}`
    const env = { ...process.env, TALLYSTICK_CONTROL_KEY: KEY }
    const { stdout } = spawned(FLAGS, ['explain', '--url', '/api/v2/sale/1', '--body', form], env)
    expect(stdout).toMatch('\nexpected: 11100a\\u001b[2J\\u009b\tb[key]\n')
  })

  test('writes such signs so that JSON stays what it is', () => {
    const file = JSON.stringify(join(MAIN, '../system.ts'))
    const script = `import { system } from ${file}; system.print(JSON.stringify('a\\u009bb'))`
    const args = [...FLAGS, '--input-type=module', '--eval', script]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(stdout).toBe('"a\\u009bb"')
    expect(JSON.parse(stdout)).toBe('a\u009bb')
  })

  test('runs the gateway with its own options', () => {
    const help = tallystick('gateway', '--help')
    expect(help).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('tallystick-gateway --config gateway.json'),
    })
    expect(help.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    const wrong = tallystick('gateway', '--config', 'none.json')
    expect(wrong).toMatchObject({ status: 2, stderr: 'tallystick-gateway: none.json cannot be read (ENOENT)\n' })
  })

  test('has the version of its package', () => {
    expect(tallystick('--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n` })
  })
})

describe('The report of a bug', () => {
  test('shows no key that was read, no card and no control', async () => {
    const secrets = new Set<string>()
    const files = { 'other.key': 'another-key' }
    const args = ['verify', '--callback', `?control=${'0'.repeat(40)}`, '--key-file', 'control.key']
    await tryCommand([...args, '--other-key-file', 'other.key'], files, { secrets })
    const text = `${KEY} another-key 4444555566661111 control=${'0'.repeat(40)}`
    expect(bugReport(new RangeError(text), secrets)).toMatch(
      '\nRangeError: [key] [key] 444455******1111 control=***\n    at ',
    )
    expect(bugReport(new Error('outer', { cause: new Error(`of ${KEY}`) }), secrets)).toMatch(
      '[cause]: Error: of [key]\n',
    )
    expect(bugReport('no error', secrets)).toMatch(/\nno error$/)
  })

  test.each(['18.20.0', '20.20.2', '22.18.0', '23.1.0', '24.10.9', '25.0.0'])('blames Node %s instead', (node) => {
    const report = bugReport(new TypeError('Map.groupBy is not a function'), [], node)
    expect(report).toBe(`tallystick: it needs Node ${manifest.engines.node}, and this is ${node}`)
  })

  test.each(['22.19.0', '22.20.1', '24.11.0', '26.0.0', '27.1.0'])('blames no Node that is supported: %s', (node) => {
    expect(bugReport(new TypeError('x'), [], node)).toMatch(/^tallystick: this is a bug of tallystick/)
  })
})
