/** What a process of a proof has from who kills it, whom it must not outlive. */
export function killer<Settings, From>() {
  process.once('disconnect', () => process.exit())
  const settings: Settings = JSON.parse(process.argv[2] ?? '')
  return { settings, tell: (message: From) => void process.send?.(message) }
}
