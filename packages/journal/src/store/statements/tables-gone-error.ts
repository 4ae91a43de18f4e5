/** The journal's tables were there, and are not there any more. Nothing is sent: what was paid is not known. */
export class TablesGoneError extends Error {
  override readonly name = 'TablesGoneError'

  constructor(where: string, cause?: unknown) {
    super(
      `The tables of the journal in ${where} are gone, though they were there: another tool has dropped them, and with them what was ` +
        'paid. Restore them from a backup. If there is none, stop the shop and run `tallystick-journal migrate --anew`: the journal ' +
        'then finds at the gateway what it has paid. Give it a schema or a file of its own, which the other tool does not touch',
      { cause },
    )
  }
}
