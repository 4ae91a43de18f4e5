import type { World } from '../world/world.ts'
import { playHostedForm } from './hosted-form.ts'
import { playLostReply } from './lost-reply.ts'
import { playPayout } from './payout.ts'
import { playPreauth } from './preauth.ts'
import { playRecurring } from './recurring.ts'
import { playSale } from './sale.ts'
import { playStoredCard } from './stored-card.ts'
import { type Chapter, playChapter, type Story } from './story.ts'
import { playTransfer } from './transfer.ts'

interface Family {
  readonly title: string
  readonly play: (world: World, story: Story) => Promise<void>
}

/** One journey for each family of operations. */
const FAMILIES: readonly Family[] = [
  { title: 'Sale', play: playSale },
  { title: 'Hosted form with 3-D Secure', play: playHostedForm },
  { title: 'Preauth, captured and returned in part', play: playPreauth },
  { title: 'Card reference and rebill', play: playStoredCard },
  { title: 'Recurring payment', play: playRecurring },
  { title: 'Payout in two steps', play: playPayout },
  { title: 'Transfer', play: playTransfer },
  { title: 'A lost reply', play: playLostReply },
]

/** Plays all of them through the shop's pages and its journal, whatever framework the shop runs on. */
export async function playJourney(world: World, print: (line: string) => void): Promise<readonly Chapter[]> {
  const chapters: Chapter[] = []
  for (const [index, { title, play }] of FAMILIES.entries()) {
    chapters.push(await playChapter(`${index + 1}  ${title}`, print, (story) => play(world, story)))
  }
  return chapters
}
