import { createPaymentClient, sandboxRecorder } from '@tallystick/client'
import { type RecordedEvent, type Recorder, Secret } from '@tallystick/core'
import { createSandbox, listen } from '@tallystick/gateway'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { saleInput, startGateway } from '@tallystick/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'

/** A sandbox, and a person at its workbench who has its key. */
async function workbench() {
  const gateway = await startGateway()
  const port = await listen(createSandbox(gateway, { operatorKey: new Secret(KEY) }), { lingerMs: 0 })
  onTestFinished(async () => {
    await port.close()
    await gateway.close()
  })
  const ask = async (path: string, body?: object, key = KEY) => {
    const init = {
      headers: { authorization: `Bearer ${key}` },
      method: body ? 'POST' : 'GET',
      body: JSON.stringify(body),
    }
    const reply = await fetch(`${port.origin}/__sandbox${path}`, body ? init : { headers: init.headers })
    return { http: reply.status, ...((await reply.json()) as Record<string, unknown>) }
  }
  return { gateway, address: `${port.origin}/__sandbox`, ask }
}

type World = Awaited<ReturnType<typeof workbench>>

/** A shop that has stored a card, and never read the reply: a person has to look for its reference. */
async function inReview({ gateway }: World, recorder: Recorder, decisionsFromWorkbench: boolean | undefined) {
  const client = createPaymentClient({ ...gateway.merchant, recorder, readAttempts: 1 })
  const journal = createJournal({
    client,
    store: memoryJournalStore(),
    recorder,
    decisionsFromWorkbench,
    onEvent: () => {},
    handler: () => {},
    onNotice: 'ignore',
  })
  onTestFinished(async () => {
    await journal.close()
    await client.close()
  })
  const sold = await client.sale(saleInput({ clientOrderId: 'inv-1' }))
  await gateway.settled()
  const orderId = sold.outcome === 'accepted' ? String(sold.reply.orderId) : ''
  gateway.next('createCardRef').loseReplyAfterCommit()
  const { intent } = await journal.pay('card of anna', 'createCardRef', { clientOrderId: 'inv-1', orderId })
  expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'NO_STATUS' })
  return { journal, intent }
}

/** The intent as the page has it. */
async function shown({ gateway }: World): Promise<Extract<RecordedEvent, { type: 'intent' }>> {
  return await vi.waitFor(() => {
    const events = [...(gateway.recording?.events() ?? [])]
    const found = events.findLast((event) => event.type === 'intent')
    if (found?.state !== 'REVIEW') throw new Error('not there yet')
    return found
  })
}

const saying = { by: 'anna', because: 'the gateway shows the card 531396663215663 of 4444333322221111' }

for (const where of ['in the process of the gateway', 'in another process'] as const) {
  test(`[F-E15] a journal ${where} that takes decisions writes what a person decides in the workbench`, async () => {
    const world = await workbench()
    const { gateway, ask, address } = world
    const remote = sandboxRecorder({ address, key: KEY })
    onTestFinished(() => remote.close())
    const recorder = where === 'in another process' ? remote : gateway.recording
    if (recorder === undefined) throw new Error('startGateway records')
    const { journal } = await inReview(world, recorder, true)
    const { intentId, intentVersion, review } = await shown(world)
    expect(review).toMatchObject({ decisions: ['reference', 'nothing-charged'], evidence: expect.any(Array) })
    await vi.waitFor(async () => expect(await ask('/decisions')).toMatchObject({ areTaken: true }))
    const decision = { intentId, intentVersion, ...saying }
    expect(await ask('/decisions', { ...decision, decision: 'nothing-charged' }, `${KEY}0`)).toMatchObject({
      http: 401,
    })
    expect(await ask('/decisions', { ...decision, decision: 'ask-again' })).toMatchObject({
      http: 409,
      error: expect.stringContaining('has no status to ask for'),
    })
    expect(
      await ask('/decisions', { ...decision, intentVersion: intentVersion - 1, decision: 'nothing-charged' }),
    ).toMatchObject({ http: 409, error: expect.stringContaining('has changed since it was shown') })
    expect(await ask('/decisions', { ...decision, decision: { reference: '531396663215663' } })).toMatchObject({
      http: 200,
      decided: true,
    })
    const [after] = await journal.attempts('card of anna')
    expect(after).toMatchObject({ state: 'FINAL', status: 'approved', reference: '531396663215663' })
    expect(after?.evidence.at(-1)?.seen).toContain(': by anna: the gateway shows the card')
    expect(JSON.stringify(after)).not.toContain('4444333322221111')
  })
}

test('[F-E15] a journal that was not told to take decisions takes none', async () => {
  const world = await workbench()
  const { gateway, ask } = world
  if (gateway.recording === undefined) throw new Error('startGateway records')
  await inReview(world, gateway.recording, undefined)
  const { intentId, intentVersion } = await shown(world)
  expect(await ask('/decisions')).toMatchObject({ areTaken: false })
  expect(await ask('/decisions', { intentId, intentVersion, decision: 'nothing-charged', ...saying })).toMatchObject({
    http: 409,
    error: expect.stringContaining('decisionsFromWorkbench'),
  })
})

test('[F-E15] decisions need a recorder that brings them', async () => {
  const { gateway } = await workbench()
  const options = { client: gateway.client(), store: memoryJournalStore(), decisionsFromWorkbench: true }
  expect(() => createJournal(options)).toThrow('decisionsFromWorkbench needs the recorder of a sandbox')
  expect(() => createJournal({ ...options, recorder: { record: () => {} } })).toThrow('needs the recorder of a sandbox')
})
