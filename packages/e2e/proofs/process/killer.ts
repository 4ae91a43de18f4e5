/** The settings that a process of a proof gets from its killer, and its channel to it. It must not outlive the killer. */
export function killer<Settings, From>() {
  process.once('disconnect', () => process.exit())
  const settings: Settings = JSON.parse(process.argv[2] ?? '')
  return { settings, tell: (message: From) => void process.send?.(message) }
}
