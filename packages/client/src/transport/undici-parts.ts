import type undici from 'undici'
// @ts-expect-error undici has no declarations of its single files
import connect from 'undici/lib/core/connect.js'
// @ts-expect-error undici has no declarations of its single files
import agent from 'undici/lib/dispatcher/agent.js'

/**
 * The two parts of undici that are needed. Its index also imports everything else, which takes more than half of the time of
 * an import of the client. The version is pinned, so that the files stay where they are.
 */
export const Agent: typeof undici.Agent = agent
export const buildConnector: typeof undici.buildConnector = connect
